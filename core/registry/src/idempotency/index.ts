export { idempotencyArea } from './area.js'
export { idempotencyErrors } from './errors.js'
export { ForgetAnswers, IdempotencyLimits, KeptAnswers, type KeyedCall } from './kept-answers.js'
