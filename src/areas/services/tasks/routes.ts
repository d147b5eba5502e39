import type { FastifyRequest } from 'fastify'
import { CountedPage, IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { ownService } from '../lifecycle/routes.ts'
import { claimTask, completeTask, failTask } from './actions.ts'
import { findTask, listDetails, listTasks } from './queries.ts'
import { openDetail } from './rules.ts'
import { Claim, Completion, Failure, Handover, Task, TaskQuery } from './schema.ts'
import { taskOf, tasksOf } from './view.ts'

const url = '/v1/admin/tasks'
const tags = ['Admin - Operations']

function exists({ db, tenantId, params }: FastifyRequest) {
  return findTask(db, { tenantId, id: (params as { id: string }).id })
}

const reading = { access: 'admin', permission: 'tasks:read' } as const
const writing = { access: 'admin', permission: 'tasks:write', exists } as const

/** What staff do for services that they deliver by hand. */
export const taskRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List the tasks of staff, newest first',
      querystring: TaskQuery,
      response: { 200: CountedPage(Task) },
    },
    async handler({ db, tenantId, query, now }) {
      const page = await listTasks(db, tenantId, query, now)
      return { ...page, data: await tasksOf(db, tenantId, page.data, now) }
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get a task with the instructions of its product',
      params: IdParams,
      response: { 200: Task, ...problems(404) },
    },
    handler: ({ db, tenantId, params: { id }, now }) => taskOf(db, { tenantId, id }, now),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/claim`,
    config: writing,
    schema: {
      tags,
      summary: 'Claim a task, so that other staff do not work on it',
      description: 'With `takeOver` also from a colleague. 409 `task_claimed` and `task_closed`.',
      params: IdParams,
      body: Claim,
      response: { 200: Task, ...problems(404, 409) },
    },
    async handler({ tenantId, caller: { userId }, params: { id }, body, now, transact }) {
      const { takeOver = false } = body
      return transact(async (tx) => {
        await claimTask(tx, { tenantId, id }, { userId, takeOver }, now)
        return taskOf(tx, { tenantId, id }, now)
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/done`,
    config: writing,
    schema: {
      tags,
      summary: 'Record that a task is done, with what its customer is handed over',
      description:
        'The service is recorded so, and its customer is notified. 409 `task_claimed`, `task_closed`, and `service_unpaid` for a delivery whose service is not paid.',
      params: IdParams,
      body: Completion,
      response: { 200: Task, ...problems(404, 409) },
    },
    async handler({ tenantId, caller: { userId }, params: { id }, body, now, transact }) {
      const { details = null } = body
      return transact(async (tx) => {
        await completeTask(tx, { tenantId, id }, { userId, secrets, details }, now)
        return taskOf(tx, { tenantId, id }, now)
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/fail`,
    config: writing,
    schema: {
      tags,
      summary: 'Record that a task cannot be done',
      description:
        'A delivery fails and its customer is notified; the price of a change becomes credit. 409 `task_claimed` and `task_closed`.',
      params: IdParams,
      body: Failure,
      response: { 200: Task, ...problems(404, 409) },
    },
    async handler({ tenantId, caller: { userId }, params: { id }, body, now, transact }) {
      return transact(async (tx) => {
        await failTask(tx, { tenantId, id }, { userId, reason: body.reason }, now)
        return taskOf(tx, { tenantId, id }, now)
      })
    },
  })
}

/** The handover details of customers. */
export const handoverRoutes: Routes = (app, { secrets }) => {
  app.route({
    method: 'GET',
    url: '/v1/services/:id/handover',
    config: { access: 'user' },
    schema: {
      tags: ['Services'],
      summary: 'Get what the delivery of my service came with, secrets included',
      params: IdParams,
      response: { 200: Handover, ...problems(403, 404) },
    },
    async handler({ db, caller, params: { id } }) {
      const { tenantId } = await ownService(db, caller, id)
      const details = await listDetails(db, tenantId, [id])
      return { details: details.map((it) => openDetail(secrets, it)) }
    },
  })
}
