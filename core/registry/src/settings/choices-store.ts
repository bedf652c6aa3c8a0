import type { Knex } from 'knex'
import type { Database } from '../database/database.js'
import { insertOrLose } from '../database/insert-or-lose.js'

/** What an owner chose, and when. */
export interface StoredChoices<C> {
  readonly choices: C
  /** Milliseconds; 0 when never saved. */
  readonly modifiedAt: number
}

/** A table of choices, one row for each owner, with the columns `created_at` and `modified_at`. */
export interface ChoicesTable<C> {
  readonly name: string
  /** Column of the owner. */
  readonly owner: string
  readonly columns: readonly string[]
  row(choices: C): Readonly<Record<string, Knex.Value>>
  read(row: Readonly<Record<string, unknown>>): C
  /** What somebody has whom the service has not met. */
  newcomer(email: string | undefined): C
}

/** Keeps what owners (users, organizations) choose for themselves. */
export class ChoicesStore<C> {
  constructor(
    private readonly database: Database,
    private readonly table: ChoicesTable<C>,
  ) {}

  /** The choices of an owner; those of a newcomer where there are none yet. */
  async get(owner: string): Promise<StoredChoices<C>> {
    return (await this.find(owner)) ?? { choices: this.table.newcomer(undefined), modifiedAt: 0 }
  }

  /** True when the owner was unknown and now is a newcomer. Of two transactions that race, one makes the row and the other waits for it. */
  async ensure(owner: string, email: string | undefined, at: number): Promise<boolean> {
    if (await this.rowOf(owner).first(this.table.owner)) return false
    return this.insert(owner, this.table.newcomer(email), at)
  }

  /** The choices of an owner, made where there are none, which no other transaction can change until this one ends. */
  async lock(owner: string, at: number): Promise<StoredChoices<C>> {
    const known = await this.find(owner, true)
    if (known !== undefined) return known
    await this.insert(owner, this.table.newcomer(undefined), at)
    return (await this.find(owner, true)) ?? this.lock(owner, at)
  }

  /** Saves choices that are locked. */
  async save(owner: string, choices: C, at: number): Promise<void> {
    await this.rowOf(owner).update({ ...this.table.row(choices), modified_at: at })
  }

  private insert(owner: string, choices: C, at: number): Promise<boolean> {
    const row = { [this.table.owner]: owner, ...this.table.row(choices), created_at: at, modified_at: 0 }
    return insertOrLose(this.database.query(this.table.name).insert(row))
  }

  private async find(owner: string, lock = false): Promise<StoredChoices<C> | undefined> {
    const query = this.rowOf(owner).first(...this.table.columns, 'modified_at')
    const row = await (lock ? query.forUpdate() : query)
    return row && { choices: this.table.read(row), modifiedAt: Number(row.modified_at) }
  }

  private rowOf(owner: string) {
    return this.database.query(this.table.name).where(this.table.owner, owner)
  }
}
