<?php
/** Connects the plugin with WordPress's tools for personal data. */

defined( 'ABSPATH' ) || exit;

/** How many orders one step of an export or erasure handles: each costs a call to the checkout server. */
const TILLKIT_ORDERS_PER_STEP = 5;

function tillkit_add_privacy_hooks(): void {
	add_filter( 'wp_privacy_personal_data_exporters', 'tillkit_add_exporter' );
	add_filter( 'wp_privacy_personal_data_erasers', 'tillkit_add_eraser' );
	add_action( 'admin_init', 'tillkit_suggest_privacy_policy' );
}

function tillkit_add_exporter( array $exporters ): array {
	$exporters['tillkit-checkout'] = array(
		'exporter_friendly_name' => __( 'Tillkit payments', 'tillkit-checkout' ),
		'callback'               => 'tillkit_export_personal_data',
	);
	return $exporters;
}

function tillkit_add_eraser( array $erasers ): array {
	$erasers['tillkit-checkout'] = array(
		'eraser_friendly_name' => __( 'Tillkit payments', 'tillkit-checkout' ),
		'callback'             => 'tillkit_erase_personal_data',
	);
	return $erasers;
}

/** A text for the shop's privacy policy, which WordPress shows to the owner under Settings, Privacy. */
function tillkit_suggest_privacy_policy(): void {
	$text = __( 'When you pay with mobile money or a card, we send your name, e-mail address, phone number, language, and what you ordered to our payment service, which asks you for the details of the payment on its own page. We receive from it whether you paid, and with which transaction. We never see the details of your card.', 'tillkit-checkout' );
	wp_add_privacy_policy_content( 'Tillkit Checkout', '<p>' . esc_html( $text ) . '</p>' );
}

/**
 * One step through the orders of a person that were or are being paid with this plugin.
 *
 * @return array{orders:WC_Order[],done:bool}
 */
function tillkit_orders_of_person( string $email, int $page ): array {
	$found = wc_get_orders(
		array(
			'type'     => 'shop_order',
			'customer' => $email,
			'limit'    => TILLKIT_ORDERS_PER_STEP,
			'page'     => $page,
			'orderby'  => 'ID',
			'order'    => 'ASC',
		)
	);
	$is_own = static function ( $order ): bool {
		return $order instanceof WC_Order && tillkit_is_own_order( $order );
	};
	return array(
		'orders' => array_values( array_filter( $found, $is_own ) ),
		'done'   => count( $found ) < TILLKIT_ORDERS_PER_STEP,
	);
}
