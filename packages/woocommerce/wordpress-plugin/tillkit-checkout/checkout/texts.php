<?php
/** Title and description of the payment method: the owner's own, else ours in the language and for the currency of the page. */

defined( 'ABSPATH' ) || exit;

/**
 * WooCommerce stores our own texts with the settings, in the language in which the owner saved them. Such a stored text is not the
 * owner's choice.
 */
const TILLKIT_STORED_TITLES       = array( '', 'Mobile money or card', 'Paiement mobile ou carte', 'Card', 'Carte' );
const TILLKIT_STORED_DESCRIPTIONS = array( '', 'You pay on a secure page and come back to the shop.', 'Vous payez sur une page sécurisée et revenez à la boutique.' );

function tillkit_title( string $stored ): string {
	if ( ! in_array( $stored, TILLKIT_STORED_TITLES, true ) ) {
		return $stored;
	}
	return tillkit_takes_currency( 'mobile-money', tillkit_page_currency() ) ? __( 'Mobile money or card', 'tillkit-checkout' ) : __( 'Card', 'tillkit-checkout' );
}

/** WooCommerce's block checkout stores the property `title` with the order, not what `get_title()` returns: the mark is in the property. */
function tillkit_with_test_mark( string $title ): string {
	/* translators: %s: the title of the payment method, in test mode */
	return tillkit_has_test_badge() ? sprintf( __( '%s (test)', 'tillkit-checkout' ), $title ) : $title;
}

function tillkit_description( string $stored ): string {
	return in_array( $stored, TILLKIT_STORED_DESCRIPTIONS, true ) ? __( 'You pay on a secure page and come back to the shop.', 'tillkit-checkout' ) : $stored;
}

/** The owner's own description, else our description of a separate payment method. */
function tillkit_method_description( string $stored, string $method ): string {
	if ( ! in_array( $stored, TILLKIT_STORED_DESCRIPTIONS, true ) ) {
		return $stored;
	}
	/* translators: %s: the name of a method of the hosted page, such as "Card" */
	return sprintf( __( 'Choose “%s” on the secure page. You come back to the shop after the payment.', 'tillkit-checkout' ), $method );
}
