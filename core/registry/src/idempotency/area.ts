import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { idempotencyErrors } from './errors.js'
import { ForgetAnswers, IdempotencyLimits, KeptAnswers } from './kept-answers.js'
import * as keptAnswers from './migrations/0030-kept-answers.js'

export const idempotencyArea = area({
  name: 'idempotency',
  errors: [idempotencyErrors],
  migrations: { '0030-kept-answers': keptAnswers },
  services: [KeptAnswers],
  provides: [provideLimits(IdempotencyLimits)],
  tasks: [ForgetAnswers],
})
