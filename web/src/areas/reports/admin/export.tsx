import { type FormEvent, useState } from 'react'
import { client } from '../../../api/client.ts'
import { saveFile } from '../../../api/downloads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { useTexts } from '../../../texts/index.tsx'
import {
  Button,
  Card,
  I,
  LinkButton,
  refused,
  SegmentedControl,
  TextInput,
} from '../../../ui/index.ts'

const CONTENTS = ['tables', 'pdf', 'xml', 'datev', 'fec'] as const
/** Those that need accounts which the accountant has confirmed. */
const WITH_ACCOUNTS: readonly string[] = ['datev', 'fec']
type Contents = (typeof CONTENTS)[number]

/** The form for an archive of a period, by default the previous month. */
export function ExportForm() {
  const texts = useAdminTexts().reports.export
  const { common } = useTexts()
  const may = useMay()
  const [contents, setContents] = useState<Contents>('tables')
  const [days, setDays] = useState(lastMonth)
  const [isBusy, setBusy] = useState(false)
  const save = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const query = { contents, ...days }
    const answer = client.GET('/v1/admin/reports/export', { params: { query }, parseAs: 'blob' })
    saveFile(`${contents}-${days.from}-${days.to}.zip`, answer)
      .catch((error: Error) => refused(common.refused, error.message))
      .finally(() => setBusy(false))
  }
  return (
    <Card>
      <form className="stack" onSubmit={save}>
        <SegmentedControl
          aria-label={texts.contents}
          value={contents}
          data={CONTENTS.map((value) => ({ value, label: texts.kinds[value] }))}
          onChange={(value) => setContents(value as Contents)}
        />
        <p className="sub">{texts.about[contents]}</p>
        {WITH_ACCOUNTS.includes(contents) ? (
          <div className="row between wrap">
            <p className="sub">{texts.accountsHint}</p>
            {may('settings:read') ? (
              <LinkButton to="/admin/settings" variant="default">
                {texts.accounts}
              </LinkButton>
            ) : null}
          </div>
        ) : null}
        <div className="row">
          <TextInput
            {...{ type: 'date', label: texts.from, required: true, max: days.to, value: days.from }}
            onChange={({ currentTarget }) => setDays({ ...days, from: currentTarget.value })}
          />
          <TextInput
            {...{ type: 'date', label: texts.to, required: true, min: days.from, value: days.to }}
            max={dayBefore(new Date())}
            onChange={({ currentTarget }) => setDays({ ...days, to: currentTarget.value })}
          />
        </div>
        <p className="sub">{texts.toHint}</p>
        <div>
          <Button
            type="submit"
            loading={isBusy}
            leftSection={<I.Download size={16} stroke={1.75} aria-hidden />}
          >
            {texts.download}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** The first and the last day of the previous month, in UTC. */
function lastMonth(): { from: string; to: string } {
  const now = new Date()
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const from = new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)
  return { from, to: dayBefore(new Date(Date.UTC(year, month, 1))) }
}

function dayBefore(date: Date): string {
  return new Date(date.getTime() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
}
