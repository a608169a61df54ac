"""The full version of stage 08: CIFAR-100, each image as 512 features of a ResNet-34.

The images (169 MB) and the network (87 MB) are downloaded once, the features computed once and kept as
safetensors. That takes minutes on a GPU and an hour or two on a laptop's cpu; the digits need none of it.

Source: A. Krizhevsky 2009, *Learning Multiple Layers of Features from Tiny Images*; He et al. 2015, *Deep
Residual Learning for Image Recognition*. The task: P. Lippe, *UvA Deep Learning Tutorials*, tutorial 6.
"""

import os
import tarfile
from dataclasses import replace
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.tasks.digits import Images, Split, take_per_class
from course_lib.tasks.download import fetch
from course_lib.tasks.task import Task, sets_task
from course_lib.tasks.torchvision_mend import import_torchvision
from course_lib.training.devices import device
from course_lib.training.progress_bar import progress_bar
from course_lib.training.recipe import Recipe

VALIDATION_PER_CLASS = 50
SIDE = 224  # pixels, what the network was trained on
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet, as published with the weights

# As published: 100 epochs of 703 steps, validated after each.
CIFAR = Recipe(learning_rate=5e-4, batch_size=64, max_steps=70_300, warmup=100, max_norm=2.0, validate_every=703)


class CifarUnavailable(RuntimeError):
    """CIFAR-100 is not here and cannot be downloaded; the message names data that need no network."""


def cifar_task(folder: Path | None = None) -> Task:
    """Stage 08 in full, on CIFAR-100; for folder and errors see `load_cifar`."""
    return replace(features_task(load_cifar(folder)), name="cifar")


def features_task(images: Split) -> Task:
    """Sets of ten of any images with 512 features: four layers of width 256, four heads, as published."""
    return sets_task("features", images, CIFAR, (1, 1), input_dim=512, model_dim=256, num_layers=4)


def load_cifar(folder: Path | None = None) -> Split:
    """Features [N, 512] of 45,000 images to train on, 5,000 to validate (50 of each class), 10,000 to test.

    Args:
        folder: where images, network and features are kept; `COURSE_DATA` or ~/.cache/attention-workshop when
            it is None.

    Raises:
        CifarUnavailable: when something is missing and cannot be downloaded, or torchvision is missing.
    """
    folder = Path(folder or os.environ.get("COURSE_DATA") or Path.home() / ".cache" / "attention-workshop")
    try:
        both, test = (load_features(folder, part) for part in ("train", "test"))
    except (OSError, ImportError, ValueError) as error:
        raise CifarUnavailable(
            f"CIFAR-100 is not in {folder} and could not be fetched ({error}); the digits need no network: "
            "course_lib.tasks.digits.load_digits()"
        ) from error
    validation, train = take_per_class(both, VALIDATION_PER_CLASS)
    return Split(train, validation, test)


def load_features(folder: Path, part: str) -> Images:
    """The features of one part, "train" or "test"; computed and kept on first use."""
    from safetensors.torch import load_file, save_file

    path = folder / f"cifar100_resnet34_{part}.safetensors"
    if not path.exists():
        images, labels = load_images(folder, part)
        features = extract_features(images, load_network(folder))
        unfinished = path.with_suffix(".part")
        save_file({"features": features, "labels": labels}, unfinished)
        unfinished.replace(path)
    stored = load_file(path)
    return Images(stored["features"], stored["labels"])


def load_images(folder: Path, part: str) -> tuple[torch.Tensor, torch.Tensor]:
    """`(images uint8 [N, 3, 32, 32], labels int64 [N])` of CIFAR-100, downloaded where it is not there.

    The files are pickles, so each is compared with its published checksum (by torchvision) before it is read.
    """
    import_torchvision()
    from torchvision.datasets import CIFAR100

    if not (folder / CIFAR100.base_folder).exists():
        archive = fetch(CIFAR100.url, folder / CIFAR100.filename, f"md5:{CIFAR100.tgz_md5}")
        with tarfile.open(archive) as files:
            files.extractall(folder, filter="data")
    try:
        dataset = CIFAR100(folder, train=part == "train", download=False)
    except RuntimeError as error:
        damaged = folder / CIFAR100.base_folder
        raise ValueError(f"the files in {damaged} are not those of CIFAR-100: delete the folder") from error
    images = torch.from_numpy(dataset.data).permute(0, 3, 1, 2)  # [N, 3, 32, 32]
    return images.contiguous(), torch.tensor(dataset.targets)


def load_network(folder: Path) -> nn.Module:
    """ResNet-34 as trained on ImageNet (`ResNet34_Weights.IMAGENET1K_V1`), without its last layer."""
    import_torchvision()
    from torchvision.models import ResNet34_Weights, resnet34

    url = ResNet34_Weights.IMAGENET1K_V1.url  # its name ends in the beginning of its SHA-256
    name = url.rpartition("/")[2]
    digest = name.removesuffix(".pth").rpartition("-")[2]
    weights = torch.load(fetch(url, folder / name, f"sha256:{digest}"), weights_only=True)
    network = resnet34(weights=None)
    network.load_state_dict(weights)
    network.fc = nn.Identity()
    return network


def extract_features(images: torch.Tensor, network: nn.Module, batch_size: int = 100) -> torch.Tensor:
    """The network's features of each image: uint8 [N, 3, H, W] → float [N, D], on the cpu.

    Enlarged to 224×224 and normalised as the network was trained; in eval mode, on `device()`.
    """
    where = device()
    network = network.to(where).eval()
    mean, std = (torch.tensor(values, device=where)[:, None, None] for values in (MEAN, STD))  # [3, 1, 1]
    features = []
    with torch.inference_mode(), progress_bar("features", len(images)) as show:
        for first, batch in zip(range(0, len(images), batch_size), images.split(batch_size), strict=True):
            pixels = batch.to(where).float() / 255  # [B, 3, H, W]
            pixels = F.interpolate(pixels, (SIDE, SIDE), mode="bilinear", antialias=True)
            features.append(network((pixels - mean) / std).cpu())  # [B, D]
            show(first + len(batch), "images")
    return torch.cat(features).clone()  # an inference tensor may not take part in training, its copy may
