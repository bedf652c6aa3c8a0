import type { TSchema } from 'typebox'
import { ref } from '../http/components.js'
import { Problem } from '../http/problem.js'

/** Describes one operation of the API: its name, what it takes, and what it answers. */
export const operation = <
  const Takes extends { body?: TSchema; params?: TSchema; querystring?: TSchema },
  S extends TSchema,
>(
  operationId: string,
  tag: 'documents' | 'packages' | 'routing' | 'authentication' | 'settings' | 'organizations' | 'utility',
  summary: string,
  takes: Takes,
  answer: S,
) => ({
  operationId,
  tags: [tag],
  summary,
  ...takes,
  response: {
    200: { description: 'Done', ...answer },
    default: { description: 'Refused: message and code say why', ...ref(Problem) },
  },
})
