"""What goes wrong in `TransformerPredictor`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites, switches
from autograder.catalogue.decoder.seq2seq_mistakes import MISTAKES as OF_SEQ2SEQ
from autograder.catalogue.edits import mistake, right, same_as
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import PositionalEncoding

IF_POSITIONS, INPUT = "if add_positional_encoding:", "self.input_net(x)"
ENCODED, OUTPUT = "self.transformer(x, mask)", "self.output_net(x)"
MAPS = "self.transformer.get_attention_maps(x, mask)"
MAPS_END = "  # [B, T, input_dim]\n        return attention_maps"  # of the encoder
ENCODER_DROPOUT, OUTPUT_DROPOUT = "2 * model_dim,\n            dropout=dropout", "nn.Dropout(dropout)"
FIVE_MODULES = "Which five modules has output_net?"
ENCODER_ARGUMENTS = "Which arguments does the encoder get?"

MISTAKES = (
    mistake("positions always added", {IF_POSITIONS: "if True:"}, times=2).because(
        "The positions are added also when they are not wanted: to a set they give an order it does not have.",
        "Where do you use `add_positional_encoding`?",
    ),
    mistake("positions never added", {IF_POSITIONS: "if False:"}, times=2).because(
        "The positional encoding is built and never called: the model cannot tell first from last.",
        "Where do you use `self.positional_encoding`?",
    ),
    mistake(
        "positions off by default",
        {"add_positional_encoding: bool = True": "add_positional_encoding: bool = False"},
        "Unless asked, your model adds no positions; the default is to add them.",
        "What is the default of `add_positional_encoding`?",
        times=2,
    ),
    mistake("positions the wrong way round", {IF_POSITIONS: "if not add_positional_encoding:"}, times=2).because(
        "You add the positions when they are not wanted, and leave them out when they are.",
        "Is there a `not` too many?",
    ),
    mistake(
        "positions always added in forward",
        {" -> torch.Tensor:": " -> torch.Tensor:\n        add_positional_encoding = True"},
        "The maps leave the positions out when asked to, forward does not.",
        "Where does forward use `add_positional_encoding`?",
    ),
    mistake(
        "positions along the batch",
        {"self.positional_encoding(x)": "self.positional_encoding(x.transpose(0, 1)).transpose(0, 1)"},
        times=2,
    ),
    mistake("mask dropped", {ENCODED: "self.transformer(x)"}).because(
        "forward takes a mask and never hands it on.", "With which arguments do you call the transformer?"
    ),
    mistake("mask dropped in the maps", {MAPS: "self.transformer.get_attention_maps(x)"}).because(
        "The maps are computed without the mask: they are not those of the forward pass.",
        "With which arguments do you ask the transformer for its maps?",
    ),
    mistake(
        "mask dropped after the first layer of the maps",
        {},
        "Between the layers the mask is missing: from the second on, your maps belong to another forward pass.",
        "Which arguments does each layer get on the way to the next?",
        calling=(TransformerEncoder, right("no mask in between", {f"x, mask){MAPS_END}": f"x){MAPS_END}"})),
    ),
    mistake(
        "maps without positions",
        {"-> list[torch.Tensor]:": "-> list[torch.Tensor]:\n        add_positional_encoding = False"},
        "The maps are computed without positions, whatever is asked.",
        "What does forward do between input_net and transformer?",
    ),
    mistake("only the last map", {MAPS: f"{MAPS}[-1:]"}).because(
        "There is one map for each layer; you return the last.", "How many layers are there?"
    ),
    mistake("heads averaged", {MAPS: f"[attention.mean(dim=1, keepdim=True) for attention in {MAPS}]"}).because(
        "You average over the heads; every head has a map of its own.", "Which shape has the attention of one layer?"
    ),
    same_as(OF_SEQ2SEQ, "probabilities instead of logits", {OUTPUT: f"{OUTPUT}.softmax(dim=-1)"}),
    same_as(OF_SEQ2SEQ, "log-probabilities instead of logits", {OUTPUT: f"{OUTPUT}.log_softmax(dim=-1)"}),
    mistake("positions saved", {}, calling=(PositionalEncoding, right("saved", {", persistent=False": ""}))),
    mistake("no maps come back", {f"return {MAPS}": MAPS}).because(
        "get_attention_maps computes the maps and returns nothing.", "What is the last line of your get_attention_maps?"
    ),
    *(
        mistake(name, {OUTPUT: pooled}).because(
            "You average over the tokens; there is one guess for each.", "Which shape has the output?"
        )
        for name, pooled in (
            ("one guess for the whole sequence", f"{OUTPUT}.mean(dim=1)"),
            ("one guess for the mean of the tokens", "self.output_net(x.mean(dim=1))"),
        )
    ),
    mistake("ReLU forgotten", {"nn.ReLU()": "nn.Identity()"}).because(
        "Without ReLU the output network is linear, but for its norm.", FIVE_MODULES
    ),
    mistake("ReLU left out", {"            nn.ReLU(),\n": ""}).because(
        "Without its ReLU, output_net has four modules: the last Linear has another number, and no checkpoint fits.",
        FIVE_MODULES,
    ),
    mistake(
        "ReLU before the norm",
        {"LayerNorm(model_dim),\n            nn.ReLU(),": "nn.ReLU(),\n            LayerNorm(model_dim),"},
        "The norm comes before ReLU: in a Sequential the place is also the name of the parameters.",
        "In which order does the description list the five modules of output_net?",
    ),
    mistake("no dropout in the input network", {"nn.Dropout(input_dropout), ": ""}).because(
        "input_net lacks its Dropout, so its Linear is number 0, where published weights look for number 1.",
        "Which two modules has input_net?",
    ),
    mistake("input_dropout not handed on", {"nn.Dropout(input_dropout)": "nn.Dropout(0.0)"}).because(
        "input_dropout is taken and never used.", "Which Dropout gets input_dropout?"
    ),
    mistake("dropout not handed on", {ENCODER_DROPOUT: "2 * model_dim", OUTPUT_DROPOUT: "nn.Dropout(0.0)"}).because(
        "dropout is taken and never used.", "Which modules get dropout?"
    ),
    mistake("encoder without dropout", {ENCODER_DROPOUT: "2 * model_dim"}).because(
        "The output network drops, the encoder does not: dropout is not among its arguments.", ENCODER_ARGUMENTS
    ),
    mistake("output network without dropout", {OUTPUT_DROPOUT: "nn.Identity()"}).because(
        "The encoder drops, the output network does not.", FIVE_MODULES
    ),
    mistake(
        "dropout always on",
        {INPUT: "self.input_net(nn.functional.dropout(x, self.hyper_parameters['input_dropout']))"},
        "`F.dropout` drops also in eval mode, unless it is told `training=self.training`.",
        "Do two calls in eval mode give the same?",
        times=2,
    ),
    mistake("a dropout of your own", {"input_dropout: float = 0.0": "input_dropout: float = 0.1"}),
    mistake("feed-forward too wide", {"2 * model_dim": "4 * model_dim"}).because(
        "Your feed-forward is 4·model_dim wide; published weights of this model expect 2·model_dim.",
        "Which dim_feedforward does the encoder get?",
    ),
    mistake(
        "a fixed number of heads", {"num_heads=num_heads,\n            dim_feed": "num_heads=1,\n            dim_feed"}
    ),
    mistake(
        "pre-norm blocks",
        {},
        calling=(TransformerEncoder, right("pre-norm", {"(EncoderBlock(": "(PreNormEncoderBlock("})),
    ),
    mistake("encoder not used", {ENCODED: "x"}).because(
        "The encoder is built and never called: no token listens to another.",
        "Which of the four parts does your forward not call?",
    ),
    mistake("samples mixed", {INPUT: "self.input_net(x - x.mean(dim=0, keepdim=True))"}, times=2).because(
        "What one sample gives depends on which others are in the batch.",
        "Along which axes do you average or normalise?",
    ),
    mistake("input network cut off", {INPUT: f"{INPUT}.detach()"}, times=2),
    mistake("arguments not kept", {"lr=lr,\n            warmup=warmup,\n            max_iters=max_iters,": ""}).because(
        "hyper_parameters lacks some of the arguments; a trained model is built anew from what it holds.",
        "Which arguments has your __init__, and which does hyper_parameters hold?",
    ),
    other_names({"self.input_net": "self.embed"}, times=3),
    overwrites(
        "mask",
        {ENCODED: "self.transformer(x, mask if mask is None else mask.unsqueeze_(0))"},
        "`unsqueeze_` works in place, and it has another shape now.",
        "an axis given to the caller's mask",
    ),
    in_double_precision("output", {OUTPUT: f"{OUTPUT}.double()"}),
    switches(
        "mode of the module itself",
        "maps switch the model to eval",
        {"-> list[torch.Tensor]:": "-> list[torch.Tensor]:\n        self.eval()"},
        "get_attention_maps changes the model's mode. Leave the model in the mode in which you got it.",
    ),
    mistake(
        "tokens added twice", {"x = self.positional_encoding(x)": "x = x + self.positional_encoding(x)"}, times=2
    ).because(
        "positional_encoding returns x with the positions added; you add x once more.",
        "What does PositionalEncoding return?",
    ),
    mistake("input scaled", {INPUT: f"{INPUT} * self.hyper_parameters['model_dim'] ** 0.5"}, times=2).because(
        "You multiply the projected input by a root; that belongs to embeddings of words, not here.",
        "What happens between input_net and positional_encoding?",
    ),
    mistake(
        "maps always with positions",
        {"-> list[torch.Tensor]:": "-> list[torch.Tensor]:\n        add_positional_encoding = True"},
    ).because(
        "The maps are computed with positions also for a set.",
        "Where does get_attention_maps use `add_positional_encoding`?",
    ),
    mistake(
        "all maps of the input",
        {MAPS: "[layer.self_attn(x, mask, return_attention=True)[1] for layer in self.transformer.layers]"},
    ).because(
        "Every layer is asked about the first x, not about what the layer before it gave.",
        "What does the second layer see in the forward pass?",
    ),
    mistake("GELU for ReLU", {"nn.ReLU()": "nn.GELU()"}).because(
        "Your output network bends with another function than ReLU.", FIVE_MODULES
    ),
    mistake(
        "maps of the raw input", {"-> list[torch.Tensor]:": f"-> list[torch.Tensor]:\n        return {MAPS}"}
    ).because(
        "The encoder is asked about the tokens as they came; forward sends them through input_net first.",
        "What does forward do before it calls the transformer?",
    ),
    mistake(
        "dropouts exchanged",
        {"self.input_net =": "dropout, input_dropout = input_dropout, dropout\n        self.input_net ="},
    ).because(
        "dropout goes to the input network, and input_dropout to all the rest.", "Which of the two does input_net get?"
    ),
)
