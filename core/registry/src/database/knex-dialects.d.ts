declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  import type { Knex } from 'knex'

  /** The part of Knex's own dialect that ours replaces. */
  export default class Client extends Knex.Client {
    _driver(): object
    acquireRawConnection(): Promise<object>
    destroyRawConnection(connection: object): Promise<void>
    _query(connection: object, query: object): Promise<object>
    connectionSettings: { filename: string }
  }
}

declare module 'knex/lib/dialects/mysql2/index.js' {
  import type { Knex } from 'knex'

  /** The part of Knex's own dialect that ours replaces. */
  export default class Client extends Knex.Client {
    _query(connection: object, query: object): Promise<object>
  }
}
