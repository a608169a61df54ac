import hashlib
import io
import pickle
import tarfile

import numpy
import pytest
import torch
from torch import nn

from course_lib.tasks import cifar
from course_lib.tasks.torchvision_mend import import_torchvision

CLASSES = 5
TRAIN_PER_CLASS, TEST_PER_CLASS = 61, 11


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch):
    monkeypatch.setenv("COURSE_DEVICE", "cpu")


def tiny_part(per_class, seed):
    """A file in CIFAR-100's format: a pickled dictionary of pixels [N, 3072] and labels."""
    labels = [image % CLASSES for image in range(per_class * CLASSES)]
    pixels = numpy.random.default_rng(seed).integers(0, 256, (len(labels), 3072), dtype=numpy.uint8)
    return pickle.dumps({"data": pixels, "fine_labels": labels})


@pytest.fixture
def archive(monkeypatch, tmp_path_factory):
    """A small archive in CIFAR-100's format, and torchvision expecting its checksums."""
    import_torchvision()
    from torchvision.datasets import CIFAR100

    files = {
        "train": tiny_part(TRAIN_PER_CLASS, seed=0),
        "test": tiny_part(TEST_PER_CLASS, seed=1),
        "meta": pickle.dumps({"fine_label_names": [f"class {number}" for number in range(CLASSES)]}),
    }
    checksums = {name: hashlib.md5(content).hexdigest() for name, content in files.items()}
    monkeypatch.setattr(CIFAR100, "train_list", [["train", checksums["train"]]])
    monkeypatch.setattr(CIFAR100, "test_list", [["test", checksums["test"]]])
    monkeypatch.setattr(CIFAR100, "meta", CIFAR100.meta | {"md5": checksums["meta"]})
    path = tmp_path_factory.mktemp("server") / CIFAR100.filename
    with tarfile.open(path, "w:gz") as packed:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{CIFAR100.base_folder}/{name}")
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return path


class Colours(nn.Module):
    """Stands in for the ResNet: three features, the mean of each colour."""

    def __init__(self):
        super().__init__()
        self.sizes = []

    def forward(self, x):
        self.sizes.append(tuple(x.shape))
        return x.mean(dim=(2, 3))


@pytest.fixture
def small_cifar(archive, monkeypatch):
    monkeypatch.setattr(cifar, "fetch", lambda url, path, digest: archive)
    monkeypatch.setattr(cifar, "load_network", lambda folder: Colours())
    return archive


def test_images_come_out_of_the_archive_channels_first(small_cifar, tmp_path):
    images, labels = cifar.load_images(tmp_path, "test")
    pixels = pickle.loads(tiny_part(TEST_PER_CLASS, seed=1))["data"]
    assert images.shape == (55, 3, 32, 32)
    assert torch.equal(images.flatten(1), torch.from_numpy(pixels))
    assert labels.bincount().tolist() == [11] * 5


def test_the_archive_is_asked_for_with_its_published_checksum(archive, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(cifar, "fetch", lambda *arguments: asked.append(arguments) or archive)
    cifar.load_images(tmp_path, "test")
    cifar.load_images(tmp_path, "train")
    assert [(url.rpartition("/")[2], digest) for url, _, digest in asked] == [
        ("cifar-100-python.tar.gz", "md5:eb9058c3a382ffc7106e4002c42a8d85")
    ]


def test_a_damaged_file_is_never_unpickled(small_cifar, tmp_path):
    cifar.load_images(tmp_path, "train")
    (tmp_path / "cifar-100-python" / "train").write_bytes(b"not what it was")
    with pytest.raises(ValueError, match="are not those of CIFAR-100: delete the folder"):
        cifar.load_images(tmp_path, "train")


def test_features_are_those_of_the_enlarged_and_normalised_image():
    images = torch.randint(256, (7, 3, 32, 32), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    network = Colours()
    features = cifar.extract_features(images, network, batch_size=3)
    mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    expected = (images.float().mean(dim=(2, 3)) / 255 - mean) / std
    torch.testing.assert_close(features, expected, atol=1e-3, rtol=0)
    assert network.sizes == [(3, 3, 224, 224), (3, 3, 224, 224), (1, 3, 224, 224)]


def test_features_can_take_part_in_training():
    features = cifar.extract_features(torch.zeros(2, 3, 32, 32, dtype=torch.uint8), Colours())
    weight = torch.ones(3, requires_grad=True)
    (features @ weight).sum().backward()
    assert weight.grad.shape == (3,)


def test_the_split_takes_fifty_of_each_class_to_validate(small_cifar, tmp_path):
    images = cifar.load_cifar(tmp_path)
    assert images.train.labels.bincount().tolist() == [11] * 5
    assert images.validation.labels.bincount().tolist() == [50] * 5
    assert images.test.features.shape == (55, 3)


def test_features_are_computed_once_and_kept_as_safetensors(small_cifar, tmp_path, monkeypatch):
    first = cifar.load_cifar(tmp_path)
    monkeypatch.setattr(cifar, "load_network", lambda folder: pytest.fail("computed again"))
    assert torch.equal(cifar.load_cifar(tmp_path).train.features, first.train.features)
    assert sorted(path.name for path in tmp_path.glob("*.safetensors")) == [
        "cifar100_resnet34_test.safetensors",
        "cifar100_resnet34_train.safetensors",
    ]


def test_the_folder_may_be_named_by_the_environment(small_cifar, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path / "elsewhere"))
    cifar.load_cifar()
    assert (tmp_path / "elsewhere" / "cifar-100-python" / "meta").exists()


def test_the_whole_task_has_the_published_model(small_cifar, tmp_path):
    task = cifar.cifar_task(tmp_path)
    assert (task.model["num_layers"], task.model["num_heads"], task.model["model_dim"]) == (4, 4, 256)
    assert [tuple(sets.shape) for sets, _ in task.test] == [(55, 10, 3)]


def test_absence_is_one_sentence_that_names_the_offline_default(monkeypatch, tmp_path):
    def no_network(url, path, digest):
        raise OSError("no route to host")

    monkeypatch.setattr(cifar, "fetch", no_network)
    with pytest.raises(cifar.CifarUnavailable) as error:
        cifar.load_cifar(tmp_path)
    assert str(error.value) == (
        f"CIFAR-100 is not in {tmp_path} and could not be fetched (no route to host); "
        "the digits need no network: course_lib.tasks.digits.load_digits()"
    )


def test_the_network_is_asked_for_with_the_checksum_in_its_name_and_loses_its_last_layer(monkeypatch, tmp_path):
    import_torchvision()
    from torchvision import models

    class Small(nn.Module):
        def __init__(self, weights):
            super().__init__()
            self.fc = nn.Linear(3, 5)

    asked = []
    monkeypatch.setattr(models, "resnet34", Small)
    torch.save(Small(None).state_dict(), tmp_path / "small.pth")
    monkeypatch.setattr(cifar, "fetch", lambda *arguments: asked.append(arguments) or tmp_path / "small.pth")
    network = cifar.load_network(tmp_path)
    assert isinstance(network.fc, nn.Identity)
    assert asked[0][1:] == (tmp_path / "resnet34-b627a593.pth", "sha256:b627a593")
