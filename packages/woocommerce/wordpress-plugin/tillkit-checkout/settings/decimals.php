<?php
/** Prices with a fraction that nobody can pay: what the owner sees, and the one click that mends it. */

defined( 'ABSPATH' ) || exit;

function tillkit_decimals_text(): string {
	$currency = (string) get_woocommerce_currency();
	/* translators: 1: a currency's code, 2: a number of decimals */
	$text = __( 'The shop shows prices in %1$s with %2$d decimals, and such a fraction cannot be paid. Shoppers do not see this payment method until the number of decimals is mended.', 'tillkit-checkout' );
	return sprintf( $text, $currency, wc_get_price_decimals() );
}

function tillkit_show_decimals_box(): void {
	$currency = (string) get_woocommerce_currency();
	if ( ! tillkit_has_too_many_decimals( $currency ) ) {
		return;
	}
	/* translators: 1: a currency's code, 2: a number of decimals */
	$label = sprintf( __( 'Show prices in %1$s with %2$d decimals', 'tillkit-checkout' ), $currency, TILLKIT_MAX_DECIMALS[ $currency ] );
	echo '<div class="notice notice-error inline"><p>' . esc_html( tillkit_decimals_text() ) . '</p>';
	tillkit_show_health_button( 'tillkit_decimals', $label );
	echo '</div>';
}

/** Warns on the other pages too: owners who do not open the settings would only notice that nobody pays. */
function tillkit_show_decimals_notice(): void {
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only chooses whether a text is shown: the settings have their own.
	if ( 'tillkit' === ( $_GET['section'] ?? '' ) ) {
		return;
	}
	if ( ! current_user_can( 'manage_woocommerce' ) || ! tillkit_settings()['enabled'] || ! tillkit_has_too_many_decimals( (string) get_woocommerce_currency() ) ) {
		return;
	}
	printf(
		'<div class="notice notice-error"><p>%s <a href="%s">%s</a></p></div>',
		esc_html( tillkit_decimals_text() ),
		esc_url( tillkit_settings_url() ),
		esc_html__( 'Settings', 'tillkit-checkout' )
	);
}

/** Changes WooCommerce, Settings, General, Number of decimals. */
function tillkit_answer_decimals(): void {
	tillkit_require_admin_request( 'tillkit_decimals', 'manage_woocommerce' );
	$currency = (string) get_woocommerce_currency();
	if ( tillkit_has_too_many_decimals( $currency ) ) {
		update_option( 'woocommerce_price_num_decimals', (string) TILLKIT_MAX_DECIMALS[ $currency ] );
	}
	tillkit_reload_admin_page();
}
