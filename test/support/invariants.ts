import { Database, type Registry } from '@signed-registry/core'

/** Invariants of a registry: each is one statement that finds violations, consistent despite concurrent writers. */
const NEVER: Readonly<Record<string, string>> = {
  'a document whose signaturesTotal is not the number of its signatures': `select id from registry_documents
    where signatures_total <> (select count(*) from registry_signatures where document_id = registry_documents.id)`,
  'a mark of a list that does not count what stands before it': `select list as id from registry_timeline_marks
    where items_before <> (select count(*) from registry_timelines
      where registry_timelines.list = registry_timeline_marks.list and registry_timelines.at < registry_timeline_marks.at)`,
  'a document of a package that does not list it': `select registry_documents.id from registry_documents
    left join registry_packages on registry_packages.id = package_id
    where package_id is not null and instr(coalesce(documents_ids, ''), registry_documents.id) = 0`,
  'an item whose commentsCount is not the number of its comments': `select id from registry_routing_items
    where comments_count <> (select count(*) from registry_routing_comments where item_id = registry_routing_items.id)`,
  'an item whose status says other than its dates': `select id from registry_routing_items
    where ((delivered_at is null) <> (status in ('sending', 'failed')) and coalesce(failure, '') <> 'recalled')
      or (failure is null) = (status = 'failed')`,
  'a share of less than nothing': `select owner as id from registry_shares where used < 0`,
  'a whole that is not the sum of its shares': `select resource as id from registry_shares where owner <> 'strangers'
    group by resource having sum(case when owner = 'whole' then used else -used end) <> 0`,
  'a delivery of more failures than attempts': `select id from registry_deliveries where failures > attempts`,
  'a delivery that is on its way to nobody': `select id from registry_deliveries where state = 'sending' and lease is null`,
  'a hash of a document that is not fixed': `select document_id as id from registry_document_digests
    where document_id in (select id from registry_documents where digests_fixed_at is null)`,
}

/** The violations found, and where. */
export async function brokenInvariants({ get }: Registry): Promise<string[]> {
  const database = get(Database)
  const broken: string[] = []
  for (const [what, sql] of Object.entries(NEVER)) {
    const [row] = await database.rows(`${sql} limit 1`, [])
    if (row !== undefined) broken.push(`${what}: ${String(row.id)}`)
  }
  return broken
}
