import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { templateErrors } from './errors.js'
import { TemplateLimits } from './limits.js'
import * as templates from './migrations/0177-templates.js'
import * as operations from './operations.js'
import { TemplateStore } from './template-store.js'

export const templatesArea = area({
  name: 'templates',
  errors: [templateErrors],
  migrations: { '0177-templates': templates },
  services: [TemplateStore],
  provides: [provideLimits(TemplateLimits)],
  operations: Object.values(operations),
})
