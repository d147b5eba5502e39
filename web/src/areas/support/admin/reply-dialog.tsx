import { LOCALES, type Locale, languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { boot } from '../../../api/boot.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  AddLanguage,
  FormDialog,
  MultiSelect,
  NumberField,
  RemoveButton,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
  told,
  useWrittenLanguages,
} from '../../../ui/index.ts'
import { counts, departments, staff } from './reads.ts'
import { MOST_TAGS, REPLIES, type SavedReply } from './reply-reads.ts'

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
const NEXT = ['answered', 'hold', 'close'] as const
const ME = 'me'

type Texts = { readonly [name in Locale]: string }
type Fields = Texts & {
  readonly name: string
  readonly shared: boolean
  readonly departmentIds: readonly string[]
  readonly next: string
  readonly holdHours: number | null
  readonly priority: string
  readonly assignee: string
  readonly departmentId: string
  readonly tags: readonly string[]
}

function fieldsOf(reply: SavedReply | null): Fields {
  const texts = Object.fromEntries(
    LOCALES.map((locale) => [locale, reply?.texts[locale] ?? '']),
  ) as Texts
  const actions = reply?.actions
  return {
    ...texts,
    ...{ name: reply?.name ?? '', shared: reply?.shared ?? false },
    departmentIds: reply?.departmentIds ?? [],
    ...{ next: actions?.next ?? '', holdHours: actions?.holdHours ?? null },
    priority: actions?.priority ?? '',
    assignee: actions?.assignToMe ? ME : (actions?.assigneeId ?? ''),
    ...{ departmentId: actions?.departmentId ?? '', tags: actions?.tags ?? [] },
  }
}

function bodyOf(fields: Fields) {
  const texts = LOCALES.flatMap((locale) => {
    const text = fields[locale].trim()
    return text ? [[locale, text] as const] : []
  })
  const { name, departmentIds, holdHours, assignee, departmentId, tags } = fields
  const next = NEXT.find((it) => it === fields.next) ?? null
  return {
    name: name.trim(),
    texts: Object.fromEntries(texts),
    departmentIds: [...departmentIds],
    actions: {
      ...{ next, holdHours: next === 'hold' ? holdHours : null },
      priority: PRIORITIES.find((it) => it === fields.priority) ?? null,
      ...{ assignToMe: assignee === ME, assigneeId: assignee === ME ? null : assignee || null },
      ...{ departmentId: departmentId || null, tags: [...tags] },
    },
  }
}

type ReplyForm = ReturnType<typeof useForm<Fields, SavedReply>>
type DialogProps = { readonly reply: SavedReply | null; readonly close: () => void }

/** A saved reply: its texts with placeholders, where it can be used, and what happens when it is sent. */
export function ReplyDialog({ reply, close }: DialogProps) {
  const { replies, tickets } = useAdminTexts()
  const may = useMay()
  const params = { path: { id: reply?.id ?? '' } }
  const form: ReplyForm = useForm<Fields, SavedReply>({
    name: `saved-reply:${reply?.id ?? 'new'}`,
    saved: fieldsOf(reply),
    call: (fields, intent) =>
      reply
        ? client.PATCH('/v1/admin/saved-replies/{id}', { params, body: bodyOf(fields), ...intent })
        : client.POST('/v1/admin/saved-replies', {
            body: { ...bodyOf(fields), shared: fields.shared },
            ...intent,
          }),
    edits: reply && {
      read: () => client.GET('/v1/admin/saved-replies/{id}', { params }),
      fieldsOf,
    },
    changes: [REPLIES],
    done: () => {
      told(tickets.saved)
      close()
    },
  })
  const { fields, text, flag } = form
  return (
    <FormDialog
      atSide
      title={reply ? reply.name : replies.addReply}
      form={form}
      close={close}
      save={tickets.save}
      isIncomplete={!fields.name.trim() || LOCALES.every((it) => !fields[it].trim())}
      removal={
        reply ? (
          <RemoveButton
            verb={tickets.archive}
            label={tickets.archive}
            title={tickets.archiveTitle(reply.name)}
            call={() => client.DELETE('/v1/admin/saved-replies/{id}', { params })}
            changes={[REPLIES]}
            told={replies.replyArchived}
          >
            {replies.archiveReplyText}
          </RemoveButton>
        ) : null
      }
    >
      <TextInput {...text('name')} label={tickets.name} maxLength={100} required />
      {!reply && may('support:write') ? (
        <Switch
          {...flag('shared')}
          label={replies.shareReply}
          description={replies.shareReplyHint}
        />
      ) : null}
      <ReplyTexts form={form} />
      <Actions form={form} />
    </FormDialog>
  )
}

type PartProps = { readonly form: ReplyForm }

function ReplyTexts({ form: { fields, text, errors } }: PartProps) {
  const { replies } = useAdminTexts()
  const languages = useWrittenLanguages({
    shopLocale: undefined,
    isWritten: (locale) => fields[locale] !== '',
  })
  const written = languages.shown.filter((it) => fields[it].trim() !== '')
  return (
    <fieldset className="plain stack">
      <legend className="legend-label">{replies.replyText}</legend>
      <p className="sub">{replies.replyTextHint}</p>
      {languages.shown.map((locale) => (
        <Textarea
          key={locale}
          {...text(locale)}
          error={errors[`texts.${locale}`] ?? errors[locale]}
          label={languageName(locale)}
          lang={locale}
          autosize
          minRows={3}
          maxRows={14}
          maxLength={20_000}
        />
      ))}
      <AddLanguage label={replies.addLanguage} missing={languages.missing} add={languages.add} />
      <details>
        <summary>{replies.placeholdersTitle}</summary>
        <ul className="stack s8">
          {Object.entries(replies.placeholders).map(([name, said]) => (
            <li key={name}>
              <code>{`{{${name}}}`}</code> {said}
            </li>
          ))}
        </ul>
      </details>
      {written.length > 0 ? (
        <section aria-label={replies.preview}>
          <p className="legend-label">{replies.preview}</p>
          {written.map((locale) => (
            <p key={locale} lang={locale} className="typed dim">
              {withSamples(fields[locale], replies.samples)}
            </p>
          ))}
        </section>
      ) : null}
    </fieldset>
  )
}

function withSamples(text: string, samples: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{([A-Za-z.]+)\}\}/g, (whole, name: string) => samples[name] ?? whole)
}

function Actions({ form: { fields, set, choice, errors } }: PartProps) {
  const { replies, tickets } = useAdminTexts()
  const may = useMay()
  const seen = useQuery({ ...counts, enabled: may('tickets:read') }).data?.departments ?? []
  const all = useQuery({ ...departments, enabled: may('support:read') }).data?.data
  const places = (
    all?.map(({ id, name, archivedAt }) => ({ id, name, archived: archivedAt !== null })) ?? seen
  )
    .filter((it) => !it.archived || fields.departmentIds.includes(it.id))
    .map(({ id, name }) => ({ value: id, label: name }))
  const place = fields.departmentId || fields.departmentIds[0] || seen[0]?.id || ''
  const people = useQuery({ ...staff(place), enabled: place !== '' }).data ?? []
  const others = people.filter(({ id }) => id !== boot.userId)
  const isKnown = ['', ME, ...people.map(({ id }) => id)].includes(fields.assignee)
  const assignees = [
    { value: ME, label: replies.toAuthor },
    ...others.map(({ id, name }) => ({ value: id, label: name })),
    ...(isKnown ? [] : [{ value: fields.assignee, label: replies.someone }]),
  ]
  return (
    <>
      {places.length > 1 ? (
        <MultiSelect
          label={replies.onlyFor}
          placeholder={fields.departmentIds.length === 0 ? replies.allDepartments : ''}
          value={[...fields.departmentIds]}
          error={errors.departmentIds}
          data={places}
          onChange={(departmentIds) => set({ departmentIds })}
        />
      ) : null}
      <fieldset className="plain stack">
        <legend className="legend-label">{replies.whenSent}</legend>
        <div className="grid cols-2">
          <Select
            {...choice('next')}
            label={tickets.afterwards}
            placeholder={replies.unchanged}
            clearable
            data={NEXT.map((value) => ({ value, label: tickets.nexts[value] }))}
          />
          {fields.next === 'hold' ? (
            <NumberField
              name="holdHours"
              label={replies.holdHours}
              description={tickets.holdUntilHint}
              value={fields.holdHours}
              error={errors['actions.holdHours']}
              change={(holdHours) => set({ holdHours })}
            />
          ) : null}
          <Select
            {...choice('priority')}
            label={tickets.priority}
            placeholder={replies.unchanged}
            clearable
            data={PRIORITIES.map((value) => ({ value, label: tickets.priorities[value] }))}
          />
          <Select
            {...choice('assignee')}
            label={tickets.assignee}
            placeholder={replies.unchanged}
            clearable
            searchable
            data={assignees}
          />
          {places.length > 1 || fields.departmentId ? (
            <Select
              {...choice('departmentId')}
              label={replies.moveTo}
              placeholder={replies.unchanged}
              clearable
              data={places}
            />
          ) : null}
        </div>
        <TagsInput
          label={replies.addTags}
          maxTags={MOST_TAGS}
          maxLength={40}
          value={[...fields.tags]}
          error={errors['actions.tags']}
          onChange={(tags) => set({ tags })}
        />
      </fieldset>
    </>
  )
}
