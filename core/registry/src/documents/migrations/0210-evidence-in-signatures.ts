/**
 * Changes nothing in tables: evidence that a signature carries is kept as where it stands in it from now on. Hosts of before
 * cannot read that, and refuse a database which has this migration.
 */
export async function up(): Promise<void> {}
