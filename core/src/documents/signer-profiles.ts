import { type OrganizationSettings, OrganizationStore } from '../organizations/index.js'
import { type UserSettings, UserSettingsStore } from '../settings/index.js'
import type { SignatureFacts } from '../signatures/index.js'

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'

/** Settings that a first signature made. */
export interface CreatedProfiles {
  readonly automaticallyCreatedUserSettings?: UserSettings
  readonly automaticallyCreatedOrgSettings?: OrganizationSettings
}

/** Makes settings for signers and their organizations at their first signature. */
export class SignerProfiles {
  static readonly inject = [UserSettingsStore, OrganizationStore] as const

  constructor(
    private readonly users: UserSettingsStore,
    private readonly organizations: OrganizationStore,
  ) {}

  /** Answers only what it made. Runs in the caller's transaction. */
  async ensure(facts: SignatureFacts, at: number): Promise<CreatedProfiles> {
    const { userId, businessId } = facts
    const profile = { email: emailOf(facts) }
    const user = await this.users.ensure(userId, profile, at)
    const organization = businessId && (await this.organizations.ensure(businessId, profile, at))
    return {
      ...(user && { automaticallyCreatedUserSettings: user }),
      ...(organization && { automaticallyCreatedOrgSettings: organization }),
    }
  }
}

/** The signer's e-mail address, from the alternative name, else from the subject. */
function emailOf({ subjectAltNameStructure = [], subjectStructure }: SignatureFacts): string | undefined {
  const alternative = subjectAltNameStructure.find(({ type }) => type === 'rfc822Name')
  return (alternative ?? subjectStructure.flat().find(({ oid }) => oid === EMAIL_ADDRESS))?.value
}
