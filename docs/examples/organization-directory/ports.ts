import { port } from '@signed-registry/core'

/** A register of organizations outside, such as the state's. */
export interface OrganizationDirectory {
  /** The name of an organization by its twelve digits; `undefined` when the register has none. Rejects when it gives no answer. */
  nameOf(bin: string): Promise<string | undefined>
}
export const OrganizationDirectory = port<OrganizationDirectory>('OrganizationDirectory', 'required')

/** Days that a name is believed before it is asked for again. */
export const KeptDays = port<number>('OrganizationDirectoryKeptDays', 'required')
