/** What the layout of every page needs. */
export interface Frame {
  /** Name of the service, if configured. */
  readonly siteName: string | undefined
  /** Path of the logo. */
  readonly logo: string
  /** Path of the icon of a home screen, if there is one. */
  readonly touchIcon: string | undefined
  /** Address of a picture for previews of links. */
  readonly picture: string
  readonly styles: readonly string[]
  /** Style sheet with dark colours. */
  readonly dark: string
  /** Style sheet for browsers that run no scripts. */
  readonly withoutScript: string
  /** Path of a module of `browser/`. */
  script(name: string): string
  /** Name of the visitor. */
  readonly visitorName: string | undefined
  /** Whether the visitor may open the settings of their organization. */
  readonly mayManage: boolean
}
