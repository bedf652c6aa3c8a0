import { signedFileErrors } from '@signed-registry/verifier'
import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { fileErrors } from './errors.js'
import { FileWork } from './file-work.js'
import { JudgeFile } from './judge-file.js'
import * as operations from './operations.js'
import { SignedFileReader } from './ports.js'
import { ProveSigned } from './prove-signed.js'
import { RegisterWhole } from './register-whole.js'

export const signedFilesArea = area({
  name: 'signed-files',
  errors: [signedFileErrors, fileErrors],
  services: [FileWork, JudgeFile, ProveSigned, RegisterWhole],
  provides: [provideValue(SignedFileReader, undefined)],
  operations: Object.values(operations),
})
