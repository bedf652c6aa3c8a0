import { ArchiveStore, definePlugin, provideValue } from '@signed-registry/core'
import { Type } from 'typebox'
import { OurPluginArchive } from './our-plugin-store.js'

/** Plugin: keeps originals. */
export const ourPlugin = definePlugin({
  name: 'our-plugin',
  options: Type.Object({}, { additionalProperties: false }),
  parts: () => ({ provides: [provideValue(ArchiveStore, new OurPluginArchive())] }),
})
