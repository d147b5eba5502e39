import type { components } from '@moorage/client'
import { client, read } from '../../../api/client.ts'
import { NAME } from './reads.ts'

export type SavedReply = components['schemas']['SavedReply']
export type UsableReply = components['schemas']['UsableReply']

/** How many tags the API accepts for a ticket. */
export const MOST_TAGS = 10

export const tagsLike = (q: string) =>
  read([NAME, 'tags', q], (signal) =>
    client.GET('/v1/admin/tickets/tags', { params: { query: { ...(q && { q }) } }, signal }),
  )

/** The key of the reads of saved replies. */
export const REPLIES = ['saved-replies'] as const

/** The actions of a saved reply, in the order in which they are shown. */
export const ACTIONS = ['next', 'priority', 'assignee', 'department', 'tags'] as const
export type Action = (typeof ACTIONS)[number]

/** The saved replies for a ticket, with their text filled in. */
export const usableReplies = (id: string, q: string) =>
  read([...REPLIES, 'for', id, q], (signal) =>
    client.GET('/v1/admin/tickets/{id}/saved-replies', {
      params: { path: { id }, query: { limit: 50, ...(q && { q }) } },
      signal,
    }),
  )
