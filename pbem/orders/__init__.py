"""Reading what players write: a line and a decision give the option meant, or say why not."""
