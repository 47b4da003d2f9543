"""Generated games of "Does GPT-4 Pass the Turing Test?" (Jones and Bergen 2024)."""
