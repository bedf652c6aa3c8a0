import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { AppLogins } from './app-logins.js'
import { AppSide } from './app-side.js'
import { AskingOrganizations } from './asking-organization.js'
import { BeginProcedure } from './begin-procedure.js'
import { ProcedureBodies } from './bodies.js'
import { ExpireProcedures, ForgetProcedures } from './end-procedures.js'
import { procedureErrors } from './errors.js'
import { FindProcedure } from './find-procedure.js'
import { HeldCalls } from './held-calls.js'
import { HeldCallsByDirectory } from './held-calls-by-directory.js'
import { ProcedureLimits } from './limits.js'
import { DirectApp } from './links.js'
import { LoginExchange } from './login-exchange.js'
import * as procedures from './migrations/0090-procedures.js'
import * as owners from './migrations/0133-body-owners.js'
import * as openProcedures from './migrations/0137-open-procedures.js'
import * as phones from './migrations/0139-phones.js'
import { MobileApp } from './mobile-app.js'
import { MoveProcedure } from './move-procedure.js'
import * as operations from './operations.js'
import { noPeers, Peers } from './peers.js'
import { PhoneStore } from './phone-store.js'
import { Phones } from './phones.js'
import { ProcedureOriginals } from './procedure-originals.js'
import { ProcedureRecords } from './procedure-records.js'
import { ProcedureRoom } from './procedure-room.js'
import { ProcedureStore } from './procedure-store.js'
import { RawExchange } from './raw-exchange.js'
import { Relays } from './relays.js'
import { DocumentExchange, PackageExchange, SigningExchange } from './signing-exchange.js'

export const proceduresArea = area({
  name: 'procedures',
  errors: [procedureErrors],
  migrations: {
    '0090-procedures': procedures,
    '0133-body-owners': owners,
    '0137-open-procedures': openProcedures,
    '0139-phones': phones,
  },
  services: [
    AppLogins,
    AppSide,
    AskingOrganizations,
    BeginProcedure,
    DirectApp,
    DocumentExchange,
    FindProcedure,
    HeldCallsByDirectory,
    LoginExchange,
    MoveProcedure,
    PackageExchange,
    PhoneStore,
    Phones,
    ProcedureBodies,
    ProcedureOriginals,
    ProcedureRecords,
    ProcedureRoom,
    ProcedureStore,
    RawExchange,
    Relays,
    SigningExchange,
  ],
  provides: [
    provideLimits(ProcedureLimits),
    provide(HeldCalls, HeldCallsByDirectory),
    provide(MobileApp, DirectApp),
    provideValue(Peers, noPeers),
  ],
  operations: Object.values(operations),
  tasks: [ExpireProcedures, ForgetProcedures],
})
