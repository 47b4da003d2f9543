"""What the configuration may say of an endpoint of language models."""

import pytest

from turingstats.config import settings as config
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "ftp://host/v1",
        "https://host:port/v1",
        "https://me:TOPSECRET@host/v1",
        "https://host/v1?key=TOPSECRET",
    ],
)
def test_addresses_that_are_refused(url):
    with pytest.raises(ConfigError, match=r"llm\.base_url: .*an address") as error:
        yaml_models.build_model(config.Config, {"llm": {"base_url": url}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


def test_addresses_and_variables_that_are_taken():
    values = {"base_url": "http://[::1]:8000/v1/", "key_variable": "MY_KEY_OF_2025"}
    found = yaml_models.build_model(config.Config, {"llm": values}, "mine.yaml").llm
    assert (found.base_url, found.key_variable) == ("http://[::1]:8000/v1", "MY_KEY_OF_2025")


@pytest.mark.parametrize("value", ["sk-TOPSECRET", "TOPSECRETa1b2c3d4e5f6a7b8", "MY KEY", ""])
def test_keys_in_place_of_the_name_of_a_variable_are_refused(value):
    with pytest.raises(ConfigError, match="not the name of an environment variable") as error:
        yaml_models.build_model(config.Config, {"llm": {"key_variable": value}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


@pytest.mark.parametrize(
    "parameters",
    [
        {"api_key": "TOPSECRET"},
        {"extra_headers": {"X-Api-Key": "TOPSECRET"}},
        {"user": "sk-TOPSECRET"},
    ],
)
def test_secrets_among_the_parameters_of_requests_are_refused(parameters):
    with pytest.raises(ConfigError, match=r"llm\.parameters\.\S+ looks like a secret") as error:
        yaml_models.build_model(config.Config, {"llm": {"parameters": parameters}}, "mine.yaml")
    assert "TOPSECRET" not in str(error.value)


def test_parameters_that_only_sound_like_secrets_are_taken():
    parameters = {"max_tokens": 9, "prompt_cache_key": "a", "stop_token_ids": [1], "logit_bias": {}}
    found = yaml_models.build_model(config.Config, {"llm": {"parameters": parameters}}, "mine.yaml")
    assert found.llm.parameters == parameters
