"""What goes wrong in `TransformerPredictor`."""

from autograder.catalogue.common_mistakes import in_double_precision, other_names, overwrites, switches
from autograder.catalogue.decoder.seq2seq_mistakes import MISTAKES as OF_SEQ2SEQ
from autograder.catalogue.edits import mistake, right, same_as
from course_lib.model.encoder import TransformerEncoder
from course_lib.model.positions import PositionalEncoding

IF_POSITIONS, INPUT = "if add_positional_encoding:", "self.input_net(x)"
ENCODED, OUTPUT = "self.transformer(x, mask)", "self.output_net(x)"
ADDED = "            x = self.positional_encoding(x)  # [B, T, model_dim]\n"
MAPS = "self.transformer.get_attention_maps(x, mask)"
MAPS_END = "  # [B, T, input_dim]\n        return attention_maps"  # of the encoder
ENCODER_DROPOUT, OUTPUT_DROPOUT = "2 * model_dim,\n            dropout=dropout", "nn.Dropout(dropout)"
FIVE_MODULES = "Which five modules does output_net have?"
ENCODER_ARGUMENTS = "Which arguments does the encoder get?"

MISTAKES = (
    mistake("positions always added", {IF_POSITIONS: "if True:"}, times=2).because(
        "You add the positions even if add_positional_encoding is False, which gives a set an order; leave "
        "them out then.",
        "Where do you use `add_positional_encoding`?",
    ),
    mistake("positions never added", {IF_POSITIONS: "if False:"}, times=2).because(
        "Your model never adds the positions, so it cannot tell first from last; continue with the output of "
        "positional_encoding.",
        "Where do you use `self.positional_encoding`?",
    ),
    mistake(
        "positions off by default",
        {"add_positional_encoding: bool = True": "add_positional_encoding: bool = False"},
        times=2,
    ).because(
        "By default your model adds no positions; add_positional_encoding must be True by default.",
        "What is the default of `add_positional_encoding`?",
    ),
    mistake("positions inverted", {IF_POSITIONS: "if not add_positional_encoding:"}, times=2).because(
        "You add the positions if add_positional_encoding is False and leave them out if it is True; do the opposite.",
        "Is there a `not` too many?",
    ),
    mistake(
        "positions always added in forward",
        {" -> torch.Tensor:": " -> torch.Tensor:\n        add_positional_encoding = True"},
    ).because(
        "Your forward ignores add_positional_encoding, which only the maps use; use it in both.",
        "Where does forward use `add_positional_encoding`?",
    ),
    mistake(
        "positions never added in forward",
        {f"        {IF_POSITIONS}\n{ADDED}        x = {ENCODED}": f"        x = {ENCODED}"},
    ).because(
        "Your forward never adds the positions, so the model cannot tell first from last; add them as for the maps.",
        "Where does forward use `add_positional_encoding`?",
    ),
    mistake(
        "positions along the batch",
        {"self.positional_encoding(x)": "self.positional_encoding(x.transpose(0, 1)).transpose(0, 1)"},
        times=2,
    ).because(
        "Your positions count the samples of the batch. Count the tokens of each sequence.",
        "Which axis of [B, T, D] are the tokens?",
    ),
    mistake("mask dropped", {ENCODED: "self.transformer(x)"}).because(
        "Your forward takes a mask but never passes it on; pass it to the encoder.",
        "With which arguments do you call the transformer?",
    ),
    mistake("mask dropped in the maps", {MAPS: "self.transformer.get_attention_maps(x)"}).because(
        "You compute the maps without the mask, so they differ from those of the forward pass; pass it on.",
        "With which arguments do you ask the transformer for its maps?",
    ),
    mistake(
        "mask dropped after the first layer of the maps",
        {},
        calling=(TransformerEncoder, right("no mask in between", {f"x, mask){MAPS_END}": f"x){MAPS_END}"})),
    ).because(
        "You leave out the mask between the layers, so from the second on your maps differ from the forward "
        "pass; pass it on.",
        "Which arguments does each layer get?",
    ),
    mistake(
        "maps without positions",
        {"-> list[torch.Tensor]:": "-> list[torch.Tensor]:\n        add_positional_encoding = False"},
    ).because(
        "You always compute the maps without positions; use add_positional_encoding, as forward does.",
        "What does forward do between input_net and transformer?",
    ),
    mistake("only the last map", {MAPS: f"{MAPS}[-1:]"}).because(
        "You return only the last layer's map; return one per layer.", "How many layers are there?"
    ),
    mistake("heads averaged", {MAPS: f"[attention.mean(dim=1, keepdim=True) for attention in {MAPS}]"}).because(
        "You average over the heads; return one map per head.", "What is the shape of one layer's attention?"
    ),
    same_as(OF_SEQ2SEQ, "probabilities instead of logits", {OUTPUT: f"{OUTPUT}.softmax(dim=-1)"}),
    same_as(OF_SEQ2SEQ, "log-probabilities instead of logits", {OUTPUT: f"{OUTPUT}.log_softmax(dim=-1)"}),
    mistake("positions saved", {}, calling=(PositionalEncoding, right("saved", {", persistent=False": ""}))).because(
        "Your table of positions is in the state dict. Register it with persistent=False.",
        "What is in list(model.state_dict()) that isn't trained?",
    ),
    mistake("no maps come back", {f"return {MAPS}": MAPS}).because(
        "Your get_attention_maps computes the maps but returns nothing; return them.",
        "What is the last line of your get_attention_maps?",
    ),
    *(
        mistake(name, {OUTPUT: pooled}).because(
            "You average over the tokens; return one prediction per token.", "What is the shape of the output?"
        )
        for name, pooled in (
            ("one guess for the whole sequence", f"{OUTPUT}.mean(dim=1)"),
            ("one guess for the mean of the tokens", "self.output_net(x.mean(dim=1))"),
        )
    ),
    mistake("ReLU forgotten", {"nn.ReLU()": "nn.Identity()"}).because(
        "You leave out the ReLU, so the output network is linear except for its norm; add it.", FIVE_MODULES
    ),
    mistake("ReLU left out", {"            nn.ReLU(),\n": ""}).because(
        "You leave out the ReLU module, so the last Linear has another number and no checkpoint fits; keep "
        "five modules.",
        FIVE_MODULES,
    ),
    mistake(
        "ReLU before the norm",
        {"LayerNorm(model_dim),\n            nn.ReLU(),": "nn.ReLU(),\n            LayerNorm(model_dim),"},
    ).because(
        "You use another order of norm and ReLU; the norm comes first, and in a Sequential the index is part "
        "of the parameters' names.",
        "In which order does the description list the five modules of output_net?",
    ),
    mistake("no dropout in the input network", {"nn.Dropout(input_dropout), ": ""}).because(
        "Your input_net lacks its Dropout, so its Linear is number 0; published weights expect number 1.",
        "Which two modules does input_net have?",
    ),
    mistake("input_dropout not passed on", {"nn.Dropout(input_dropout)": "nn.Dropout(0.0)"}).because(
        "You never use input_dropout; pass it to input_net.", "Which Dropout gets input_dropout?"
    ),
    mistake("dropout not passed on", {ENCODER_DROPOUT: "2 * model_dim", OUTPUT_DROPOUT: "nn.Dropout(0.0)"}).because(
        "You never use dropout; pass it to the encoder and output_net.", "Which modules get dropout?"
    ),
    mistake("encoder without dropout", {ENCODER_DROPOUT: "2 * model_dim"}).because(
        "You pass dropout only to the output network; pass it to the encoder too.", ENCODER_ARGUMENTS
    ),
    mistake("output network without dropout", {OUTPUT_DROPOUT: "nn.Identity()"}).because(
        "You pass dropout only to the encoder; pass it to the output network too.", FIVE_MODULES
    ),
    mistake(
        "dropout always on",
        {INPUT: "self.input_net(nn.functional.dropout(x, self.hyper_parameters['input_dropout']))"},
        times=2,
    ).because(
        "You apply `F.dropout` in eval mode too; pass `training=self.training`.",
        "Do two calls in eval mode return the same?",
    ),
    mistake("a dropout of your own", {"input_dropout: float = 0.0": "input_dropout: float = 0.1"}).because(
        "Your input_dropout is 0.1 if it isn't given. Its default is 0.", "What is in the signature in the docstring?"
    ),
    mistake("feed-forward too wide", {"2 * model_dim": "4 * model_dim"}).because(
        "Your feed-forward is 4·model_dim wide; make it 2·model_dim, which the published weights expect.",
        "Which dim_feedforward does the encoder get?",
    ),
    mistake(
        "a fixed number of heads", {"num_heads=num_heads,\n            dim_feed": "num_heads=1,\n            dim_feed"}
    ).because("Your encoder has one head regardless of num_heads. Pass num_heads.", ENCODER_ARGUMENTS),
    mistake(
        "pre-norm blocks",
        {},
        calling=(TransformerEncoder, right("pre-norm", {"(EncoderBlock(": "(PreNormEncoderBlock("})),
    ).because(
        "Your blocks normalise before each sub-layer. Use the encoder of stage 04, which normalises after the sum.",
        ENCODER_ARGUMENTS,
    ),
    mistake("encoder not used", {ENCODED: "x"}).because(
        "Your encoder has no effect, so no token attends to another; continue with its output.",
        "Which of the four parts does your forward not call?",
    ),
    mistake("samples mixed", {INPUT: "self.input_net(x - x.mean(dim=0, keepdim=True))"}, times=2).because(
        "Your output for one sample depends on the others in the batch; treat each sample separately.",
        "Along which axes do you average or normalise?",
    ),
    mistake("input network cut off", {INPUT: f"{INPUT}.detach()"}, times=2).because(
        "The output of your input network is detached from the graph, so this network never "
        "learns. Keep it in the graph.",
        "Which call in your code cuts the graph: .data, .detach(), torch.tensor?",
    ),
    mistake("arguments not kept", {"lr=lr,\n            warmup=warmup,\n            max_iters=max_iters,": ""}).because(
        "Your hyper_parameters lacks some of the arguments; store all of them, because a trained model is "
        "rebuilt from it.",
        "Which arguments does your __init__ take, and which does hyper_parameters contain?",
    ),
    other_names({"self.input_net": "self.embed"}, times=3),
    overwrites(
        "mask",
        {ENCODED: "self.transformer(x, mask if mask is None else mask.unsqueeze_(0))"},
        "`unsqueeze_` works in place, so it has another shape now.",
        "an axis given to the caller's mask",
    ),
    in_double_precision("output", {OUTPUT: f"{OUTPUT}.double()"}),
    switches(
        "mode of the module itself",
        "maps switch the model to eval",
        {"-> list[torch.Tensor]:": "-> list[torch.Tensor]:\n        self.eval()"},
        "Your get_attention_maps changes the model's mode; restore it afterwards.",
    ),
    mistake(
        "tokens added twice", {"x = self.positional_encoding(x)": "x = x + self.positional_encoding(x)"}, times=2
    ).because(
        "You add x to the result of positional_encoding, which already contains it; add it only once.",
        "What does PositionalEncoding return?",
    ),
    mistake("input scaled", {INPUT: f"{INPUT} * self.hyper_parameters['model_dim'] ** 0.5"}, times=2).because(
        "You multiply the projected input by a root, which is only for embeddings of words; leave it out.",
        "What happens between input_net and positional_encoding?",
    ),
    mistake(
        "maps always with positions",
        {"-> list[torch.Tensor]:": "-> list[torch.Tensor]:\n        add_positional_encoding = True"},
    ).because(
        "You compute the maps with positions even for a set; use add_positional_encoding, as forward does.",
        "Where does get_attention_maps use `add_positional_encoding`?",
    ),
    mistake(
        "all maps of the input",
        {MAPS: "[layer.self_attn(x, mask, return_attention=True)[1] for layer in self.transformer.layers]"},
    ).because(
        "You pass the first x to every layer; pass each the output of the layer before.",
        "What does the second layer see in the forward pass?",
    ),
    mistake("GELU for ReLU", {"nn.ReLU()": "nn.GELU()"}).because(
        "Your output network uses another non-linearity; use ReLU.", FIVE_MODULES
    ),
    mistake(
        "maps of the raw input", {"-> list[torch.Tensor]:": f"-> list[torch.Tensor]:\n        return {MAPS}"}
    ).because(
        "You pass the raw input to the encoder; send it through input_net first, as forward does.",
        "What does forward do before it calls the transformer?",
    ),
    mistake(
        "dropouts exchanged",
        {"self.input_net =": "dropout, input_dropout = input_dropout, dropout\n        self.input_net ="},
    ).because(
        "You swap dropout and input_dropout; input_dropout is only for input_net.",
        "Which of the two does input_net get?",
    ),
    mistake(
        "positions inverted in forward",
        {" -> torch.Tensor:": " -> torch.Tensor:\n        add_positional_encoding = not add_positional_encoding"},
    ).because(
        "Your forward adds the positions if add_positional_encoding is False and leaves them out if it is True; do the "
        "opposite.",
        "Is there a `not` too many?",
    ),
    mistake("encoder's input added again", {ENCODED: f"x + {ENCODED}"}).because(
        "You add the encoder's input to its output; each block already has its own residuals.",
        "What happens between transformer and output_net?",
    ),
    mistake("input_dropout not kept", {"            input_dropout=input_dropout,\n        )": "        )"}).because(
        "Your hyper_parameters lacks some of the arguments; store all of them, because a trained model is "
        "rebuilt from it.",
        "Which arguments does your __init__ take, and which does hyper_parameters contain?",
    ),
)
