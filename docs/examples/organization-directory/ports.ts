import { port } from '@signed-registry/core'

/** An external register of organizations, such as that of the state. */
export interface OrganizationDirectory {
  /** The name of an organization by its twelve digits; `undefined` when the register has none. Rejects when it cannot answer. */
  nameOf(bin: string): Promise<string | undefined>
}
export const OrganizationDirectory = port<OrganizationDirectory>('OrganizationDirectory', 'required')

/** Days before a cached name is looked up again. */
export const KeptDays = port<number>('OrganizationDirectoryKeptDays', 'required')
