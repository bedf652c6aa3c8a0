import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { CheckArchive } from './check-archive.js'
import { ClaimOriginals, TemporaryStorage } from './claim-originals.js'
import { CleanContent } from './clean-content.js'
import { DataStates } from './data-state.js'
import { originalErrors } from './errors.js'
import { KeepOriginals } from './keep-originals.js'
import { OriginalLimits } from './limits.js'
import * as originals from './migrations/0060-originals.js'
import * as spool from './migrations/0071-spool.js'
import * as keptFor from './migrations/0131-kept-for.js'
import * as pieces from './migrations/0132-archive-pieces.js'
import { OriginalStore } from './original-store.js'
import { Payers } from './payers.js'
import { ArchivePieces } from './pieces.js'
import { ArchiveStore, ContentScanner } from './ports.js'
import { ReadOriginals } from './read-originals.js'
import { RemoveOriginals, SweepOriginals } from './remove-originals.js'
import { TellExpiredQuotas } from './tell-expired-quotas.js'

/** The part of the area that compares the database with the archive store. */
export const archiveChecks = area({
  name: 'originals',
  services: [OriginalStore, ArchivePieces, ReadOriginals, CheckArchive],
  provides: [provideValue(ArchiveStore, undefined)],
})

export const originalsArea = area({
  name: 'originals',
  errors: [originalErrors],
  migrations: {
    '0060-originals': originals,
    '0071-spool': spool,
    '0131-kept-for': keptFor,
    '0132-archive-pieces': pieces,
  },
  services: [
    OriginalStore,
    Payers,
    DataStates,
    TemporaryStorage,
    ClaimOriginals,
    KeepOriginals,
    RemoveOriginals,
    ReadOriginals,
    ArchivePieces,
    CheckArchive,
    CleanContent,
  ],
  provides: [
    provideLimits(OriginalLimits),
    provideValue(ArchiveStore, undefined),
    provideValue(ContentScanner, undefined),
  ],
  tasks: [SweepOriginals, TellExpiredQuotas],
})
