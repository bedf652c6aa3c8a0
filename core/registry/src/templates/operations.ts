export { type DeletedTemplate, DeleteTemplate } from './delete-template.js'
export { ListTemplates, type Templates } from './list-templates.js'
export { type SavedTemplate, SaveTemplate } from './save-template.js'
export type { SaveTemplateRequest, Template } from './schema.js'
