import { useNavigate } from '@tanstack/react-router'
import { client } from '../../../api/client.ts'
import { putDraft } from '../../../api/drafts.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { FormDialog, told } from '../../../ui/index.ts'
import { useTimes } from '../../../ui/times.ts'
import {
  AffectedFields,
  byLocale,
  ImpactField,
  impactIn,
  isBlank,
  LanguageFields,
  TimeFields,
  written,
} from './fields.tsx'
import { CHANGES, type Incident } from './reads.ts'
import { useIsTimeless, useTimesOf } from './times.ts'
import { draftOf, NOTHING_SAID } from './write.tsx'

const NOTHING_AFFECTED = { nodeIds: [], locationIds: [], productIds: [] }

type NewProps = { readonly kind: Incident['kind']; readonly close: () => void }

/** Adds an incident or maintenance as a draft, and opens it to be published. The first update goes along. */
export function NewDialog({ kind, close }: NewProps) {
  const { incidents } = useAdminTexts()
  const navigate = useNavigate()
  const timesOf = useTimesOf()
  const isTimeless = useIsTimeless()
  const form = useForm({
    name: `incident:new:${kind}`,
    saved: {
      ...{ titles: byLocale(), texts: byLocale(), impact: 'minor', startsAt: '', endsAt: '' },
      ...(NOTHING_AFFECTED as Pick<Incident, 'nodeIds' | 'locationIds' | 'productIds'>),
    },
    edits: null,
    changes: CHANGES,
    call: ({ titles, impact, nodeIds, locationIds, productIds, ...fields }, intent) =>
      client.POST('/v1/admin/incidents', {
        body: {
          ...{ kind, impact: impactIn(impact), titles: written(titles), ...timesOf(fields) },
          ...{ nodeIds, locationIds, productIds },
        },
        ...intent,
      }),
    done: ({ id }, { texts }) => {
      if (!isBlank(texts)) putDraft(draftOf(id), { texts }, NOTHING_SAID)
      form.reset()
      void navigate({ to: '/admin/incidents/$id', params: { id } })
    },
  })
  const { fields, set, text, errors } = form
  return (
    <FormDialog
      atSide
      title={incidents.addTitle[kind]}
      form={form}
      close={close}
      save={incidents.addDraft}
      isIncomplete={isBlank(fields.titles) || isTimeless(kind, fields)}
    >
      <p className="dim">{incidents.draftHint}</p>
      <LanguageFields
        parts={[
          {
            ...{ name: 'titles', label: incidents.title, value: fields.titles, isLong: false },
            change: (titles) => set({ titles }),
          },
          {
            ...{ name: 'texts', label: incidents.firstText, value: fields.texts, isLong: true },
            change: (texts) => set({ texts }),
          },
        ]}
      />
      <ImpactField {...form.choice('impact')} />
      <TimeFields {...{ kind, fields, text }} />
      <AffectedFields {...{ fields, set, errors }} />
    </FormDialog>
  )
}

type EditProps = { readonly incident: Incident; readonly close: () => void }

/** Corrects what was entered about an incident; its updates never change. */
export function EditDialog({ incident, close }: EditProps) {
  const { incidents } = useAdminTexts()
  const { fieldOf } = useTimes()
  const timesOf = useTimesOf()
  const isTimeless = useIsTimeless()
  const { id, kind } = incident
  const params = { path: { id } }
  const fieldsOf = (it: Incident) => ({
    ...{ titles: byLocale(it.titles), impact: it.impact as string },
    ...{ startsAt: fieldOf(it.startsAt), endsAt: it.endsAt ? fieldOf(it.endsAt) : '' },
    ...{ nodeIds: it.nodeIds, locationIds: it.locationIds, productIds: it.productIds },
  })
  const saved = fieldsOf(incident)
  const form = useForm({
    ...{ name: `incident:${id}`, saved },
    call: ({ titles, impact, startsAt, endsAt, ...affected }, intent) =>
      client.PATCH('/v1/admin/incidents/{id}', {
        params,
        body: {
          ...{ titles: written(titles), impact: impactIn(impact), ...affected },
          // The fields have no seconds: times that were not changed are not sent.
          ...timesOf({
            startsAt: startsAt === saved.startsAt ? '' : startsAt,
            endsAt: endsAt === saved.endsAt ? '' : endsAt,
          }),
        },
        ...intent,
      }),
    edits: { read: () => client.GET('/v1/admin/incidents/{id}', { params }), fieldsOf },
    changes: CHANGES,
    done: () => {
      told(incidents.saved)
      close()
    },
  })
  const { fields, set, text, errors } = form
  return (
    <FormDialog
      atSide
      title={incidents.edit}
      form={form}
      close={close}
      save={incidents.save}
      isIncomplete={isBlank(fields.titles) || isTimeless(kind, fields)}
    >
      {incident.publishedAt ? <p className="dim">{incidents.editHint}</p> : null}
      <LanguageFields
        parts={[
          {
            ...{ name: 'titles', label: incidents.title, value: fields.titles, isLong: false },
            change: (titles) => set({ titles }),
          },
        ]}
      />
      <ImpactField {...form.choice('impact')} />
      <TimeFields {...{ kind, fields, text }} />
      <AffectedFields {...{ fields, set, errors }} />
    </FormDialog>
  )
}
