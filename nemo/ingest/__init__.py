"""From files to stored regulations (入库): one file never stops a batch, and nothing is half stored.

``prepare`` is the pure part and runs in worker processes: bytes → parsed → regulations → chunks → vectors. The owner
of the library alone commits what it returns. A file that fails is reported by name with its reason and kept for retry.
"""

from nemo.ingest.files import QueuedFile, SentFile, check_manifest, files_in, read_file
from nemo.ingest.ingestion import Ingestion, IngestSource, SettledFile
from nemo.ingest.report import FileOutcome, IngestReport
