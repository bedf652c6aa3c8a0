import type { Injected } from '../kernel/service.js'
import { type OrganizationSettings, OrganizationStore } from '../organizations/index.js'
import { PartyNames } from '../parties/index.js'
import { type UserSettings, UserSettingsStore } from '../settings/index.js'
import type { SignatureFacts } from '../signatures/index.js'

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'

/** Settings that a first signature created. */
export interface CreatedProfiles {
  readonly automaticallyCreatedUserSettings?: UserSettings
  readonly automaticallyCreatedOrgSettings?: OrganizationSettings
}

/** Creates settings for signers and their organizations at their first signature, and keeps their names. */
export class SignerProfiles {
  static readonly inject = { users: UserSettingsStore, organizations: OrganizationStore, names: PartyNames }

  constructor(private readonly use: Injected<typeof SignerProfiles.inject>) {}

  /** Returns only what it created. Runs in the caller's transaction. */
  async ensure(facts: SignatureFacts, at: number): Promise<CreatedProfiles> {
    const { userId, businessId } = facts
    await this.use.names.remember(facts, at)
    const profile = { email: signerEmail(facts) }
    const user = await this.use.users.ensure(userId, profile, at)
    const organization = businessId && (await this.use.organizations.ensure(businessId, profile, at))
    return {
      ...(user && { automaticallyCreatedUserSettings: user }),
      ...(organization && { automaticallyCreatedOrgSettings: organization }),
    }
  }
}

/** A signer's e-mail address from the subject alternative name, else from the subject. */
export function signerEmail({ subjectAltNameStructure = [], subjectStructure }: SignatureFacts): string | undefined {
  const alternative = subjectAltNameStructure.find(({ type }) => type === 'rfc822Name')
  return (alternative ?? subjectStructure.flat().find(({ oid }) => oid === EMAIL_ADDRESS))?.value
}
