import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Card,
  Empty,
  I,
  Loaded,
  Page,
  Table,
  Tag,
  told,
  useChange,
} from '../../../ui/index.ts'
import type { Department } from './department-dialog.tsx'
import { CHANGES, departments } from './reads.ts'

const DepartmentDialog = lazy(async () => ({
  default: (await import('./department-dialog.tsx')).DepartmentDialog,
}))

/** Where tickets are handled, and which staff see them. */
export function Departments() {
  const { tickets } = useAdminTexts()
  const mayWrite = useMay()('support:write')
  const [editing, edit] = useState<Department | 'new' | null>(null)
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/departments/{id}/restore', { params: { path: { id } }, ...intent }),
    { changes: CHANGES, done: ({ name }) => told(tickets.restored(name)) },
  )
  return (
    <Page
      title={tickets.departments}
      sub={tickets.departmentsText}
      actions={
        mayWrite ? (
          <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
            {tickets.addDepartment}
          </Button>
        ) : null
      }
    >
      <Loaded query={useQuery(departments)}>
        {({ data }) => (
          <Card flush>
            {data.length === 0 ? (
              <Empty icon={I.Lifebuoy} title={tickets.noDepartments}>
                {tickets.noDepartmentsText}
              </Empty>
            ) : (
              <Table
                caption={tickets.departments}
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  {
                    head: tickets.name,
                    cell: (it) =>
                      mayWrite && !it.archivedAt ? (
                        <button
                          type="button"
                          className="rowlink"
                          aria-label={tickets.editDepartment(it.name)}
                          onClick={() => edit(it)}
                        >
                          {it.name}
                        </button>
                      ) : (
                        it.name
                      ),
                  },
                  {
                    ...{ head: tickets.seenBy, small: 'sub' },
                    cell: ({ groupIds }) =>
                      groupIds.length === 0 ? tickets.allStaff : tickets.groups(groupIds.length),
                  },
                  {
                    ...{ head: tickets.statusHead, small: 'second' },
                    cell: ({ visibility, archivedAt }) => (
                      <Tag tone={archivedAt || visibility === 'staff' ? 'ended' : 'active'}>
                        {archivedAt
                          ? tickets.archived
                          : visibility === 'staff'
                            ? tickets.forStaff
                            : tickets.forCustomers}
                      </Tag>
                    ),
                  },
                  {
                    ...{ head: tickets.restore, silent: true, right: true, small: 'second' },
                    cell: ({ id, name, archivedAt }) =>
                      mayWrite && archivedAt ? (
                        <Button
                          size="compact-sm"
                          variant="default"
                          loading={restore.isPending && restore.variables === id}
                          aria-label={`${tickets.restore}: ${name}`}
                          onClick={() => restore.mutate(id)}
                        >
                          {tickets.restore}
                        </Button>
                      ) : null,
                  },
                ]}
              />
            )}
          </Card>
        )}
      </Loaded>
      {editing ? (
        <Suspense>
          <DepartmentDialog
            department={editing === 'new' ? null : editing}
            close={() => edit(null)}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}
