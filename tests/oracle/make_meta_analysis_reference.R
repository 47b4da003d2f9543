# Reference values of tests/oracle/test_meta_analysis_against_r.py: metafor 3.8-1 and clubSandwich 0.5.8 (in Debian,
# r-cran-metafor and r-cran-clubsandwich), on data that come with metafor.
#   Rscript tests/oracle/make_meta_analysis_reference.R > tests/oracle/meta_analysis_reference.json
suppressMessages({library(metafor); library(clubSandwich); library(jsonlite)})

as_list <- function(fit) list(
  coefficients = as.numeric(coef(fit)), se = as.numeric(fit$se), q = fit$QE, q_p = fit$QEp)

result <- list(R = R.version.string, metafor = as.character(packageVersion('metafor')),
  clubSandwich = as.character(packageVersion('clubSandwich')))

# BCG vaccine against tuberculosis (13 trials), log risk ratios; errors of Hartung and Knapp.
bcg <- escalc(measure = "RR", ai = tpos, bi = tneg, ci = cpos, di = cneg, data = dat.bcg)
fit <- rma(yi, vi, data = bcg, test = "knha")
new <- predict(fit)
result$bcg <- c(as_list(fit), list(
  values = as.numeric(bcg$yi), variances = as.numeric(bcg$vi), tau2 = fit$tau2, i2 = fit$I2 / 100,
  low = fit$ci.lb, high = fit$ci.ub, new_low = new$pi.lb, new_high = new$pi.ub))
fit <- rma(yi, vi, mods = ~ ablat, data = bcg, test = "knha")
result$bcg_latitude <- c(as_list(fit), list(
  latitude = bcg$ablat, tau2 = fit$tau2, low = fit$ci.lb, high = fit$ci.ub))
fit <- rma(yi, vi, data = bcg, subset = alloc == "systematic", test = "adhoc")
result$bcg_systematic <- c(as_list(fit), list(
  chosen = which(bcg$alloc == "systematic") - 1, tau2 = fit$tau2, low = fit$ci.lb, high = fit$ci.ub))

# Modified school calendars (56 schools in 11 districts): two levels, CR2 errors over districts.
schools <- dat.konstantopoulos2011
fit <- rma.mv(yi, vi, random = ~ 1 | district/school, data = schools)
robust <- coef_test(fit, vcov = "CR2", cluster = schools$district)
W <- diag(1 / schools$vi); X <- model.matrix(fit); P <- W - W %*% X %*% solve(t(X) %*% W %*% X) %*% t(X) %*% W
result$schools <- c(as_list(fit), list(
  values = as.numeric(schools$yi), variances = as.numeric(schools$vi), district = schools$district,
  sigma2 = fit$sigma2, shares = fit$sigma2 / (sum(fit$sigma2) + (fit$k - fit$p) / sum(diag(P))),
  cr2 = robust$SE, df = robust$df_Satt))
fit <- rma.mv(yi, vi, mods = ~ year, random = ~ 1 | district/school, data = schools)
robust <- coef_test(fit, vcov = "CR2", cluster = schools$district)
result$schools_year <- c(as_list(fit), list(
  year = schools$year, sigma2 = fit$sigma2, cr2 = robust$SE, df = robust$df_Satt))

# Estimates with correlated errors: the schools, with a correlation of 0.6 within districts.
V <- impute_covariance_matrix(schools$vi, cluster = schools$district, r = 0.6, return_list = FALSE)
fit <- rma.mv(yi, V, random = ~ 1 | district/school, data = schools)
robust <- coef_test(fit, vcov = "CR2", cluster = schools$district)
result$correlated <- c(as_list(fit), list(
  correlation = 0.6, sigma2 = fit$sigma2, cr2 = robust$SE, df = robust$df_Satt))

cat(toJSON(result, digits = NA, auto_unbox = TRUE, pretty = TRUE), "\n")
