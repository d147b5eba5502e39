import { useQueries, useQuery } from '@tanstack/react-query'
import { nodes } from '../../../api/admin-reads.ts'
import { client } from '../../../api/client.ts'
import { orNull, useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  FormDialog,
  MultiSelect,
  NumberField,
  RemoveButton,
  Select,
  Switch,
  TextInput,
  told,
  useFormats,
} from '../../../ui/index.ts'
import { COUNTRIES } from '../../account/index.ts'
import { room, type ShopLocation } from './reads.ts'

type Props = { readonly location: ShopLocation | null; readonly close: () => void }

type Place = ShopLocation['places'][number]

/** A place as the value of an option: ids of panels contain no spaces. */
const choiceOf = ({ nodeId, remoteId }: Place) => `${nodeId} ${remoteId}`

function placeIn(value: string): Place {
  const blank = value.indexOf(' ')
  return { nodeId: value.slice(0, blank), remoteId: value.slice(blank + 1) }
}

function fieldsOf(location: ShopLocation | null) {
  return {
    ...{ name: location?.name ?? '', slug: location?.slug ?? '' },
    ...{ country: location?.country ?? '', city: location?.city ?? '' },
    ...{ position: location?.position ?? 0, isOffered: !location?.hidden },
    places: (location?.places ?? []).map(choiceOf) as readonly string[],
  }
}

/** A location: its name, where it is, and the panel locations that it consists of. */
export function LocationDialog({ location, close }: Props) {
  const { locations: texts } = useAdminTexts()
  const formats = useFormats()
  const params = { path: { id: location?.id ?? '' } }
  const form = useForm({
    name: `location:${location?.id ?? 'new'}`,
    saved: fieldsOf(location),
    call: ({ name, slug, country, city, position, isOffered, places }, intent) => {
      const body = {
        ...{ name: name.trim(), country, city: orNull(city), position, hidden: !isOffered },
        ...(slug.trim() && { slug: slug.trim() }),
        places: places.map(placeIn),
      }
      return location
        ? client.PATCH('/v1/admin/locations/{id}', { params, body, ...intent })
        : client.POST('/v1/admin/locations', { body, ...intent })
    },
    edits: location && { read: () => client.GET('/v1/admin/locations/{id}', { params }), fieldsOf },
    changes: [['locations'], ['products']],
    done: () => {
      told(texts.saved)
      close()
    },
  })
  const { fields, set, text, choice, flag, errors } = form
  const places = usePlaces(fields.places)
  return (
    <FormDialog
      title={location ? location.name : texts.add}
      form={form}
      close={close}
      save={texts.save}
      removal={location ? <Removal location={location} close={close} /> : null}
    >
      <TextInput {...text('name')} label={texts.name} required data-autofocus />
      <div className="grid cols-2">
        <Select
          {...choice('country')}
          label={texts.country}
          searchable
          required
          data={[...formats.countries(COUNTRIES)]}
        />
        <TextInput {...text('city')} label={texts.city} />
      </div>
      <MultiSelect
        label={texts.places}
        description={texts.placesHint}
        searchable
        value={[...fields.places]}
        error={errors.places}
        data={places}
        onChange={(it) => set({ places: it })}
      />
      <div className="grid cols-2">
        <TextInput {...text('slug')} label={texts.slug} description={texts.slugHint} />
        <NumberField
          name="position"
          label={texts.position}
          description={texts.positionHint}
          value={fields.position}
          error={errors.position}
          change={(position) => set({ position: position ?? 0 })}
        />
      </div>
      <Switch {...flag('isOffered')} label={texts.isOffered} description={texts.isOfferedHint} />
    </FormDialog>
  )
}

/** The locations of all panels that respond, by panel; and the chosen locations of panels that do not. */
function usePlaces(chosen: readonly string[]) {
  const panels = useQuery(nodes).data?.data ?? []
  const rooms = useQueries({ queries: panels.map(({ id }) => room(id)) })
  const groups = panels.map(({ id: nodeId, name }, index) => ({
    group: name,
    items: (rooms[index]?.data?.locations ?? []).map((it) => ({
      value: choiceOf({ nodeId, remoteId: it.id }),
      label: it.name === it.id ? it.name : `${it.name} (${it.id})`,
    })),
  }))
  const known = new Set(groups.flatMap(({ items }) => items.map(({ value }) => value)))
  const missing = chosen.filter((value) => !known.has(value))
  return groups.map(({ group, items }, index) => {
    const own = missing.filter((value) => placeIn(value).nodeId === panels[index]?.id)
    const rest = own.map((value) => ({ value, label: placeIn(value).remoteId }))
    return { group, items: [...items, ...rest] }
  })
}

function Removal({ location, close }: { location: ShopLocation; close: () => void }) {
  const { locations: texts } = useAdminTexts()
  return (
    <RemoveButton
      verb={texts.archive}
      title={texts.archiveTitle(location.name)}
      call={() =>
        client.DELETE('/v1/admin/locations/{id}', { params: { path: { id: location.id } } })
      }
      changes={[['locations'], ['products']]}
      told={texts.archivedTold}
      done={close}
    >
      {texts.archiveText}
    </RemoveButton>
  )
}
