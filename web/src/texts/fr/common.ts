import type { Texts } from '../index.tsx'

export const common: Texts['common'] = {
  skip: 'Aller au contenu',
  loading: 'Chargement',
  copy: 'Copier',
  copied: 'Copié',
  close: 'Fermer',
  cancel: 'Annuler',
  save: 'Enregistrer',
  notANumber: 'Saisissez un nombre, par exemple 12.',
  amountWrong: (example) => `Saisissez un montant, par exemple ${example}.`,
  saved: 'Enregistré',
  undo: 'Annuler la modification',
  more: 'Autres actions',
  all: 'Tout',
  tryAgain: 'Réessayer',
  showMore: 'Afficher plus',
  home: 'Accueil',
  failed: 'Chargement impossible',
  refused: 'L’opération a échoué',
  changed: 'Quelqu’un d’autre a modifié ces données entre-temps',
  changedText:
    'Rien n’a été enregistré. Votre saisie est conservée, et ce que vous n’avez pas modifié affiche l’état actuel. Vérifiez, puis enregistrez à nouveau.',
  changedField: 'Quelqu’un d’autre a modifié ce champ. En enregistrant, vous gardez votre saisie.',
  changedTo: (value) =>
    `Quelqu’un d’autre a enregistré « ${value} ». En enregistrant, vous gardez votre saisie.`,
  nothingChanged: 'Rien n’a été modifié.',
  noConnection: 'Le serveur est injoignable.',
  unreached:
    'Le serveur est injoignable. Réessayez : votre saisie est conservée et rien ne sera exécuté deux fois.',
  tooLarge:
    'C’est plus volumineux que ce que le serveur accepte. Choisissez un fichier plus petit ou un texte plus court.',
  refusedBefore: (status) =>
    `La demande a été refusée avant d’atteindre le service (statut ${status}).`,
  offline: 'Pas de connexion. Nouvelle tentative en cours.',
  request: (id) => `Requête ${id}`,
  forbidden: 'Vous n’avez pas l’autorisation nécessaire',
  private: 'Visible par le client uniquement',
  privateText:
    'Ces informations sont masquées lorsque vous consultez la boutique en tant que client.',
  notFound: 'Cette page n’existe pas',
  notFoundText: 'Elle a peut-être été supprimée, ou l’adresse est incomplète.',
  crashed: 'Cet écran a rencontré une erreur',
  crashedText: 'Rechargez la page. Si le problème persiste, contactez le support.',
  testMode: 'Mode test',
  testModeText: 'Les paiements sont simulés et aucun argent ne circule.',
  reload: 'Recharger',
}
