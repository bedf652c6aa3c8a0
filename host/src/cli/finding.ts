/** What a look at one thing found. */
export interface Finding {
  readonly state: 'ok' | 'warn' | 'fail'
  readonly text: string
}
