import { useState } from 'react'
import { offerFile } from '../../api/downloads.ts'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, I, Select } from '../../ui/index.ts'
import { csvOf } from '../../ui/lists/csv.ts'
import { ActivityList, type Entry } from './activity-list.tsx'
import { type Deed, deedOf, objectOf } from './activity-words.ts'
import { ServiceFrame } from './frame.tsx'
import { OwnerOnly } from './owner-only.tsx'

/** Who did what on the server, as reported by the panel. */
export function ServiceActivity() {
  const { services } = useTexts()
  const [kind, choose] = useState<Deed | null>(null)
  return (
    <ServiceFrame>
      {({ service: { id, role } }) =>
        role === 'owner' ? (
          <Card title={services.tabs.activity}>
            <ActivityList
              id={id}
              kind={kind}
              tools={(loaded, shown) => <Tools {...{ loaded, shown, kind, choose }} />}
            />
          </Card>
        ) : (
          <OwnerOnly id={id} title={services.tabs.activity} />
        )
      }
    </ServiceFrame>
  )
}

type ToolsProps = {
  readonly loaded: readonly Entry[]
  readonly shown: readonly Entry[]
  readonly kind: Deed | null
  readonly choose: (kind: Deed | null) => void
}

/** The filter by kind of action, and the export of the shown entries as a file. */
function Tools({ loaded, shown, kind, choose }: ToolsProps) {
  const { services } = useTexts()
  const save = () => {
    const rows = shown.map((it) => [
      it.happenedAt,
      services.did[deedOf(it)],
      objectOf(it),
      it.panelUser ?? services.daemon,
    ])
    offerFile('activity.csv', csvOf(rows))
  }
  return (
    <div className="tools">
      <Select
        aria-label={services.activityFilter}
        value={kind ?? ''}
        data={[
          { value: '', label: services.allKinds },
          ...[...new Set(loaded.map(deedOf))].map((value) => ({
            value,
            label: services.did[value],
          })),
        ]}
        onChange={(value) => choose((value || null) as Deed | null)}
      />
      <Button variant="default" leftSection={<I.Download size={16} aria-hidden />} onClick={save}>
        {services.csv}
      </Button>
    </div>
  )
}
