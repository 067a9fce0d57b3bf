import type { PageTexts } from './texts.ts'

export const fr: PageTexts = {
  titles: {
    checkout: '{product} · Commande',
    paused: '{product} · En pause',
    thankYou: 'Merci\u00a0! · {shop}',
  },
  language: 'Langue',
  checkout: {
    title: 'Commande',
    testMode: 'Mode test',
    needsScript:
<<<<<<< HEAD
      'Le paiement nécessite ici JavaScript. Veuillez l’activer et recharger cette page.',
    summary: 'Récapitulatif de commande',
=======
      'Pour payer ici, JavaScript est nécessaire. Veuillez l’activer et recharger cette page.',
    summary: 'Récapitulatif',
>>>>>>> texts
    showSummary: 'Afficher le récapitulatif',
    hideSummary: 'Masquer le récapitulatif',
    quantity: 'Quantité\u00a0: {count}',
    subtotal: 'Sous-total',
    shipping: 'Livraison',
    free: 'Gratuite',
    total: 'Total',
  },
  recent: {
    label: 'Votre dernière commande',
    justNow: 'Vous venez d’acheter ce produit.',
    oneMinute: 'Vous avez acheté ce produit il y a 1 minute.',
    minutes: 'Vous avez acheté ce produit il y a {minutes} minutes.',
    isTest: 'C’était une commande test\u00a0: aucun argent n’a été prélevé.',
    isPaid: 'Il est payé, inutile de payer à nouveau.',
    see: 'Voir votre commande',
  },
  footer: {
    newTab: '(s’ouvre dans un nouvel onglet)',
    close: 'Fermer',
    thisShop: 'cette boutique',
    atStart: 'Cette boutique',
    writeTo: 'Écrivez à {email}.',
    reach: 'Vous pouvez joindre {shop} sur le site, ou par le message, d’où vous venez.',
    refund: 'Remboursements',
    refundTexts: [
      'Si quelque chose ne va pas avec votre commande, {shop} souhaite le savoir. {contact}',
      'Veuillez indiquer votre numéro de commande\u00a0; il figure dans l’e-mail de confirmation et sur la page affichée après votre achat. Les remboursements sont faits sur la carte utilisée. Vos droits légaux restent inchangés.',
    ],
    shipping: 'Conditions de livraison',
    shippingTexts: [
      '{theShop} envoie votre commande en livraison standard à l’adresse que vous indiquez ici. La livraison est gratuite.',
      'Des questions sur votre livraison\u00a0? {contact}',
    ],
    privacy: 'Confidentialité',
    privacyTexts: [
      '{theShop} utilise ce que vous indiquez ici pour traiter votre commande, la livrer et vous écrire à son sujet. Les actualités ne sont envoyées que si vous le demandez.',
      'Vos données de carte vont directement à SumUp, le prestataire de paiement. La boutique ne les voit pas et ne les conserve pas. Si vous choisissez d’enregistrer vos informations, elles restent sur cet appareil.',
      'Pour consulter, corriger ou supprimer ce qui est conservé à votre sujet\u00a0: {contact}',
    ],
    terms: 'Conditions de vente',
    termsTexts: [
<<<<<<< HEAD
      'En payant, vous commandez chez {shop} le produit présenté ici au total indiqué ici. Le contrat est conclu lorsque le paiement est confirmé\u00a0; un e-mail vous en informe.',
=======
      'En payant, vous commandez chez {shop} le produit présenté ici pour le montant total indiqué ici. Le contrat est conclu lorsque le paiement est confirmé\u00a0; un e-mail vous en informe.',
>>>>>>> texts
      'Des questions\u00a0? {contact}',
    ],
    contact: 'Contact',
    contactTexts: ['Vous achetez chez {shop}. Aucune adresse e-mail n’est indiquée ici. {contact}'],
    imprint: 'Mentions légales',
    vatNumber: 'Numéro de TVA\u00a0: {number}',
  },
  missing: {
    'Product not found': 'Produit introuvable',
    'Order not found': 'Commande introuvable',
    'Page Not Found': 'Page introuvable',
    productReason:
<<<<<<< HEAD
      'Ce produit n’est plus en vente, ou il manque une partie du lien. Veuillez en demander un nouveau à la boutique qui vous l’a envoyé.',
    orderReason:
      'Il n’y a pas de commande à cette adresse. Veuillez vérifier qu’il ne manque rien au lien de votre e-mail de confirmation.',
    pageReason:
      'Il n’y a rien à cette adresse. Vérifiez qu’il ne manque rien au lien, ou demandez-en un nouveau à la boutique qui vous l’a envoyé.',
=======
      'Ce produit n’est plus en vente, ou le lien est incomplet. Veuillez en demander un nouveau à la boutique qui vous l’a envoyé.',
    orderReason:
      'Il n’y a pas de commande à cette adresse. Veuillez vérifier que le lien de votre e-mail de confirmation est complet.',
    pageReason:
      'Il n’y a rien à cette adresse. Vérifiez que le lien est complet, ou demandez-en un nouveau à la boutique qui vous l’a envoyé.',
>>>>>>> texts
  },
  paused: {
    title: 'Pas en vente pour le moment',
    text: 'La boutique a suspendu la vente de {product}. Veuillez revenir plus tard. Si vous venez de payer, votre commande suit son cours habituel.',
  },
  problem: 'Cette page n’est pas disponible pour le moment',
  thankYou: {
    yourOrder: 'Votre commande',
    title: 'Merci\u00a0!',
    confirmed: 'Votre commande est confirmée',
    mailSent: 'Un e-mail de confirmation est en route vers {email}',
    mailOfTest: 'Comme il s’agit d’un test, aucun e-mail de confirmation n’est envoyé à {email}',
    testOrder: 'Commande test\u00a0:',
    testNote: 'aucun argent n’a été prélevé, rien ne sera livré.',
    orderNumber: 'Numéro de commande',
    copyOrderNumber: 'Copier le n° de commande',
    status: 'Statut',
    date: 'Date',
    parcel: 'Colis',
    copyTracking: 'Copier le numéro de suivi',
    track: 'Suivre votre colis',
    shippingAddress: 'Adresse de livraison',
    billingAddress: 'Adresse de facturation',
    paymentMethod: 'Mode de paiement',
    card: 'Carte',
    preparing: 'En préparation',
    onItsWay: 'En chemin',
    completed: 'Terminée',
    vat: 'Dont TVA {rate}\u00a0%',
    sellersVatNumber: 'Numéro de TVA {number}',
    print: 'Imprimer',
    changedYourMind: 'Vous avez changé d’avis\u00a0?',
    next: 'Et maintenant\u00a0?',
    done: '(fait)',
    steps: {
      paid: 'La boutique a votre commande et votre paiement',
      unpaid: 'La boutique a votre commande',
      packed: 'Votre commande est préparée et emballée',
      sent: 'Votre colis est en chemin en livraison standard',
    },
    testSteps: {
      paid: 'La boutique a votre commande test, et aucun paiement',
      packed: 'Une vraie commande serait maintenant préparée et emballée',
      sent: 'Un vrai colis serait ensuite en chemin en livraison standard',
    },
  },
  returned: {
    titles: {
      refund: 'Votre commande a été remboursée',
      chargeback: 'Votre paiement a été repris par votre banque',
      both: 'Votre paiement a été remboursé et repris par votre banque',
    },
    labels: {
      refund: 'Remboursé',
      chargeback: 'Repris par la banque',
      both: 'Remboursé et repris par la banque',
    },
    refunded:
      '{amount} sont revenus sur votre carte. Quelques jours peuvent passer avant que votre relevé de carte ne l’indique.',
    chargedBack: 'Votre banque a repris {amount} à la boutique.',
  },
  withdrawal: {
    here: 'Renoncer au contrat ici',
    confirm: 'Confirmer la rétractation',
    policy: 'Droit de rétractation',
    received: 'Votre rétractation a été reçue',
    which: 'Dites-nous de quel achat vous vous rétractez. Vous n’avez pas à donner de motif.',
    name: 'Votre nom',
    orderNumber: 'Numéro de commande',
    orderNumberHint: 'Il figure dans votre e-mail de confirmation, par exemple #1042.',
    email: 'E-mail',
    emailHint: 'Celui de votre achat. L’accusé de réception y est envoyé.',
    continue: 'Continuer',
    change: 'Modifier les données',
    aboutToState: 'Vous allez déclarer\u00a0:',
    statement:
      'Je vous notifie par la présente ma rétractation du contrat de vente portant sur la commande {orderNumber}.',
    receivedText:
      'Nous avons reçu votre rétractation le {receivedAt}. Nous en accusons réception par e-mail à {email}, avec son contenu, la date et l’heure, sauf si trop de ces e-mails ont été envoyés au cours de la dernière heure.',
  },
}
