<?php
/**
 * A copy of the site, such as a staging site, has the link secret of the original, and its refunds would be real. The checkout server
 * recognises it by its address and refuses what only the original may do, until the owner says what this site is.
 */

defined( 'ABSPATH' ) || exit;

/** The option with the address of the original, such as shop.example, while the checkout server takes this site for a copy. */
const TILLKIT_COPY_OF_OPTION = 'tillkit_copy_of';

/** The address of the site as its owner set it: other plugins let home_url() answer with the domain of a language. */
function tillkit_site_address(): string {
	if ( defined( 'WP_HOME' ) ) {
		return (string) WP_HOME;
	}
	$stored = wp_load_alloptions();
	return (string) ( $stored['home'] ?? get_option( 'home' ) );
}

/**
 * Remembers what the checkout server takes this site for. A missing answer proves nothing.
 *
 * @param array|WP_Error $answer Of the checkout server.
 */
function tillkit_remember_original( $answer ): void {
	$fields   = is_wp_error( $answer ) ? (array) $answer->get_error_data() : $answer;
	$original = is_string( $fields['copy_of'] ?? null ) ? $fields['copy_of'] : '';
	if ( '' !== $original ) {
		update_option( TILLKIT_COPY_OF_OPTION, $original );
	} elseif ( ! is_wp_error( $answer ) && '' !== (string) get_option( TILLKIT_COPY_OF_OPTION, '' ) ) {
		delete_option( TILLKIT_COPY_OF_OPTION );
	}
}

/** Empty for a site that is no copy. */
function tillkit_copy_text(): string {
	$original = (string) get_option( TILLKIT_COPY_OF_OPTION, '' );
	/* translators: %s: the address of a site, such as shop.example */
	return '' === $original ? '' : sprintf( __( 'This looks like a copy of %s. Nothing is refunded, decided, exported or erased from here until you say what this site is.', 'tillkit-checkout' ), $original );
}

function tillkit_show_copy_box(): void {
	if ( '' === tillkit_copy_text() ) {
		return;
	}
	echo '<div class="notice notice-error inline"><p>' . esc_html( tillkit_copy_text() ) . '</p>';
	tillkit_show_health_button( 'tillkit_moved', __( 'The shop moved here, or has this address too', 'tillkit-checkout' ) );
	tillkit_show_health_button( 'tillkit_copy', __( 'This is a copy: switch it to test mode, and end its connection', 'tillkit-checkout' ) );
	echo '</div>';
}

/** Warns on the other pages too: owners who do not open the settings would only notice that nothing can be refunded. */
function tillkit_show_copy_notice(): void {
	if ( '' === tillkit_copy_text() || ! current_user_can( 'manage_woocommerce' ) ) {
		return;
	}
	printf(
		'<div class="notice notice-error"><p>%s <a href="%s">%s</a></p></div>',
		esc_html( tillkit_copy_text() ),
		esc_url( tillkit_settings_url() ),
		esc_html__( 'Settings', 'tillkit-checkout' )
	);
}

function tillkit_answer_moved(): void {
	tillkit_require_admin_request( 'tillkit_moved', 'manage_woocommerce' );
	$answer = tillkit_say_installation( 'moved' );
	if ( is_wp_error( $answer ) ) {
		tillkit_send_admin_html( tillkit_warning_html( $answer ) );
		return;
	}
	tillkit_reload_admin_page();
}

/** The copy forgets the secret of the original even where the checkout server does not answer. It gets a connection of its own. */
function tillkit_answer_copy(): void {
	tillkit_require_admin_request( 'tillkit_copy', 'manage_woocommerce' );
	tillkit_say_installation( 'copy' );
	$settings = array(
		'store' => '',
		'test'  => 'yes',
	);
	update_option( 'woocommerce_tillkit_settings', $settings + (array) get_option( 'woocommerce_tillkit_settings', array() ) );
	delete_option( TILLKIT_SECRETS_OPTION );
	delete_option( TILLKIT_COPY_OF_OPTION );
	tillkit_reload_admin_page();
}

/** @return array|WP_Error */
function tillkit_say_installation( string $what ) {
	return tillkit_call_checkout_server(
		'installation',
		array(
			'answer'   => $what,
			'by'       => tillkit_current_actor(),
			'language' => tillkit_language(),
		)
	);
}
