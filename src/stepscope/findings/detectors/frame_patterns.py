"""Patterns of the Python frames of libraries that save, print and log."""

SAVING = "|".join(
    [
        r"torch[/\\]serialization\.py\(\d+\): save$",
        r"torch[/\\]distributed[/\\]checkpoint[/\\].*: save$",
        r"safetensors.*: save_file$",
        r": save_(?:checkpoint|pretrained)$",
    ]
)

PRINTS = "|".join(
    [
        r"torch[/\\]_tensor_str\.py\(\d+\): _?str$",
        r"torch[/\\]_tensor\.py\(\d+\): (?:__repr__|__format__)$",
    ]
)
LOGS = "|".join(
    [
        r"(?:torch[/\\]utils[/\\]tensorboard|tensorboardX)[/\\].*: add_\w+$",
        r"wandb[/\\].*: _?log$",
        r"(?:mlflow|comet_ml|neptune|clearml|aim|swanlab)[/\\].*: (?:log|log_metrics?|report_\w+|track|append)$",
        r"(?:^|[/\\])(?:transformers|accelerate)[/\\].*: (?:log|on_log)$",
        r"(?:^|[/\\])loguru[/\\].*: (?:debug|info|success|warning|error|log)$",
        r"(?:^|[/\\])rich[/\\].*: print$",
        r"lightning[/\\].*loggers[/\\].*: log_\w+$",
        r"(?:^|[/\\])logging[/\\]__init__\.py\(\d+\): (?:debug|info|warning|error|log|_log)$",
        r"(?:^|[/\\])tqdm[/\\].*: (?:update|refresh|display|write|set_postfix\w*|set_description\w*)$",
        r"^<built-in (?:function|method) print\b",
    ]
)
"""Calls of the libraries that log; what a program names itself says nothing for sure."""
