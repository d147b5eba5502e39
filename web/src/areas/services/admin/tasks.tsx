import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  type DataColumn,
  DataList,
  Empty,
  I,
  Link,
  Page,
  useChoice,
  useFormats,
  useListAddress,
  useOrder,
} from '../../../ui/index.ts'
import type { Task } from './reads.ts'
import { TaskTag } from './task-status.tsx'

const VIEWS = ['pending', 'overdue', 'done', 'failed', 'canceled'] as const
const ACTIONS = ['create', 'change', 'suspend', 'resume', 'end'] as const

/** What staff have to do for services, and have done. */
export function Tasks() {
  const { tasks } = useAdminTexts()
  const { search } = useListAddress()
  const view = useChoice('state', tasks.statusHead, VIEWS, tasks.views)
  const action = useChoice('action', tasks.action, ACTIONS, tasks.actions)
  const order = useOrder()
  const query = {
    ...{ ...view.query, ...action.query, ...order.query },
    ...(search.serviceId && { serviceId: search.serviceId }),
  }
  const list = useList(
    ['admin', 'tasks', 'list', query],
    (where, signal) =>
      client.GET('/v1/admin/tasks', { params: { query: { ...where, ...query } }, signal }),
    { isCounted: true },
  )
  return (
    <Page wide title={tasks.title}>
      <DataList
        name="tasks"
        views="tasks"
        caption={tasks.title}
        list={list}
        columns={useColumns()}
        filters={
          <>
            {view.filter}
            {action.filter}
            {order.filter}
          </>
        }
        empty={
          <Empty icon={I.CircleCheck} title={tasks.none}>
            {tasks.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

function useColumns(): readonly DataColumn<Task>[] {
  const { tasks } = useAdminTexts()
  const { moment } = useFormats()
  return [
    {
      ...{ id: 'service', head: tasks.service, value: ({ serviceName }) => serviceName },
      cell: ({ id, action, serviceName }) => (
        <Link to="/admin/tasks/$id" params={{ id }} className="rowlink">
          {tasks.actions[action]}: {serviceName}
        </Link>
      ),
    },
    {
      ...{ id: 'status', head: tasks.statusHead, small: 'second' },
      value: ({ state }) => tasks.states[state],
      cell: (task) => <TaskTag task={task} />,
    },
    {
      ...{ id: 'product', head: tasks.product, small: 'sub' },
      value: ({ productName }) => productName,
      cell: ({ productName, planName }) => `${productName} · ${planName}`,
    },
    {
      ...{ id: 'customer', head: tasks.customer, small: 'hide' },
      value: ({ customerName }) => customerName,
      cell: ({ customerName }) => <span className="cut block narrow">{customerName}</span>,
    },
    {
      ...{ id: 'who', head: tasks.claimedBy, small: 'hide' },
      value: ({ claimedByName }) => claimedByName,
      cell: ({ claimedByName }) => claimedByName ?? '–',
    },
    {
      ...{ id: 'due', head: tasks.due, right: true, small: 'second', value: ({ dueAt }) => dueAt },
      cell: ({ dueAt }) => moment(dueAt),
    },
  ]
}
