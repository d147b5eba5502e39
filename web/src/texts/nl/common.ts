import type { Texts } from '../index.tsx'

export const common: Texts['common'] = {
  skip: 'Naar de inhoud',
  loading: 'Laden',
  copy: 'Kopiëren',
  copied: 'Gekopieerd',
  close: 'Sluiten',
  cancel: 'Annuleren',
  save: 'Opslaan',
  notANumber: 'Vul een getal in, zoals 12.',
  amountWrong: (example) => `Vul een bedrag in, zoals ${example}.`,
  saved: 'Opgeslagen',
  undo: 'Ongedaan maken',
  more: 'Meer acties',
  all: 'Alle',
  tryAgain: 'Opnieuw proberen',
  showMore: 'Meer tonen',
  home: 'Start',
  failed: 'Dit kon niet worden geladen',
  refused: 'Dat is niet gelukt',
  changed: 'Iemand anders heeft dit intussen gewijzigd',
  changedText:
    'Er is niets opgeslagen. Je invoer is bewaard, en alles wat je niet hebt gewijzigd, toont de huidige stand. Controleer het en sla het opnieuw op.',
  changedField:
    'Iemand anders heeft dit intussen gewijzigd. Als je opslaat, blijft jouw invoer staan.',
  changedTo: (value) =>
    `Iemand anders heeft intussen “${value}” opgeslagen. Als je opslaat, blijft jouw invoer staan.`,
  nothingChanged: 'Er is niets gewijzigd.',
  noConnection: 'De server is niet bereikbaar.',
  unreached:
    'De server is niet bereikbaar. Probeer het opnieuw: je invoer is bewaard en er gebeurt niets dubbel.',
  tooLarge: 'Dit is groter dan de server aanneemt. Kies een kleiner bestand of een kortere tekst.',
  refusedBefore: (status) =>
    `De aanvraag is geweigerd voordat die de dienst bereikte (status ${status}).`,
  offline: 'Geen verbinding. We proberen het opnieuw.',
  request: (id) => `Verzoek ${id}`,
  forbidden: 'Je hebt hier geen rechten voor',
  private: 'Alleen zichtbaar voor de klant',
  privateText: 'Deze informatie is verborgen zolang je de shop als klant bekijkt.',
  notFound: 'Deze pagina bestaat niet',
  notFoundText: 'Misschien is de pagina verwijderd of is het adres niet volledig.',
  crashed: 'Er ging iets mis op dit scherm',
  crashedText: 'Laad de pagina opnieuw. Gebeurt het nog eens, neem dan contact op met support.',
  testMode: 'Testmodus',
  testModeText: 'Betalingen worden gesimuleerd en er gaat geen geld om.',
  reload: 'Opnieuw laden',
}
