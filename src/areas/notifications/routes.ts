import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { countUnread, listNotifications, markAllRead, markRead } from './queries.ts'
import { Notification } from './schema.ts'

const tags = ['Notifications']
const MOST_RECENT = 50

export const notificationRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/notifications',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'My 50 most recent notifications',
      response: { 200: Page(Notification) },
    },
    async handler({ db, caller }) {
      return { data: await listNotifications(db, caller, MOST_RECENT), nextCursor: null }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/notifications/unread-count',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'How many of my notifications are unread',
      response: { 200: Type.Object({ count: Type.Integer() }) },
    },
    handler: async ({ db, caller }) => ({ count: await countUnread(db, caller) }),
  })

  app.route({
    method: 'POST',
    url: '/v1/notifications/:id/read',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Mark a notification as read',
      description: 'Answers the notification; one that was read keeps its `readAt`.',
      params: IdParams,
      response: { 200: Notification, ...problems(404) },
    },
    async handler({ caller, params: { id }, now, transact }) {
      const notification = await transact((tx) => markRead(tx, caller, id, now))
      if (!notification) throw notFound('Notification')
      return notification
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/notifications/read-all',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Mark all my notifications as read',
      description: '`updated` is how many were unread.',
      response: { 200: Type.Object({ updated: Type.Integer() }) },
    },
    handler: async ({ caller, now, transact }) => ({
      updated: await transact((tx) => markAllRead(tx, caller, now)),
    }),
  })
}
