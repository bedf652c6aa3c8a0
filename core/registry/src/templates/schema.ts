import Type, { type Static } from 'typebox'
import { DocumentSettings, Send } from '../documents/index.js'
import { PackageSettingsRequest } from '../packages/index.js'

const { to, comment, toSign } = Send.properties

/** What a template has: a registration that is not made yet. Settings and addresses are checked when it is. */
export const TemplateContent = {
  name: Type.String({ pattern: '\\S', description: 'replaces the template of this name' }),
  title: Type.Optional(Type.String({ description: 'of the package' })),
  description: Type.Optional(Type.String()),
  documents: Type.Optional(Type.Array(Type.String({ description: 'title of a document' }))),
  settings: Type.Optional(Type.Object(PackageSettingsRequest.properties, { description: 'of the package' })),
  documentsSettings: Type.Optional(DocumentSettings),
  send: Type.Optional(
    Type.Object({
      to: Type.Optional(to),
      comment,
      toSign,
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 366, description: 'until the deadline' })),
    }),
  ),
  emails: Type.Optional(Type.Array(Type.String({ description: 'e-mail address' }))),
}

/** Request of `POST /api/templates`. */
export const SaveTemplateRequest = Type.Object(TemplateContent, { $id: 'SaveTemplateRequest' })
export type SaveTemplateRequest = Static<typeof SaveTemplateRequest>

/** A template of a person or an organization (ours). */
export const Template = Type.Object(
  { templateId: Type.String(), modifiedAt: Type.Integer({ description: 'milliseconds' }), ...TemplateContent },
  { $id: 'Template' },
)
export type Template = Static<typeof Template>
