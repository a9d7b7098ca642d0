<?php
/** The button that connects the shop with the checkout server, and the page that leads the owner there. */

defined( 'ABSPATH' ) || exit;

/** Shown above the settings. The address of the checkout server must be saved first. */
function tillkit_show_pairing(): void {
	$settings = tillkit_settings();
	echo '<h2 id="tillkit-connection">' . esc_html__( 'Connection', 'tillkit-checkout' ) . '</h2>';
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only chooses a text.
	$step = isset( $_GET['tillkit_paired'] ) ? sanitize_key( wp_unslash( $_GET['tillkit_paired'] ) ) : '';
	if ( '' !== $step && ( 'left' === $step ) !== tillkit_is_configured() ) {
		echo '<div class="notice notice-success inline"><p>' . esc_html( tillkit_connection_text( $step ) ) . '</p></div>';
	}
	if ( '' === $settings['checkout_server'] ) {
		echo '<p>' . esc_html__( 'Enter the checkout server address and save. Then a button appears here that sets up the store id and the link secret by itself.', 'tillkit-checkout' ) . '</p>';
		return;
	}
	$is_connected = tillkit_is_configured();
	$label        = $is_connected ? __( 'Connect again with a new link secret', 'tillkit-checkout' ) : tillkit_text( 'Connect with the checkout server' );
	$text         = $is_connected
		? __( 'Changes the link secret on both sides. Payments in progress are not disturbed.', 'tillkit-checkout' )
		: __( 'The checkout server shows what it will be allowed to do, and sets up both sides when you agree.', 'tillkit-checkout' );
	$more = tillkit_has_owner_pages() ? ' ' . tillkit_text( 'By this button you also enter another key of the payment service, such as your live key.' ) : '';
	echo '<p>' . esc_html( $text . $more ) . '</p>';
	echo '<p><a class="button" href="' . esc_url( wp_nonce_url( admin_url( 'admin-post.php?action=tillkit_pair' ), 'tillkit_pair' ) ) . '">' . esc_html( $label ) . '</a> ';
	tillkit_show_owner_pages();
	echo '</p>';
}

/** The code is sent in the body of a request and never in an address, which logs and other sites could read. */
function tillkit_answer_pair_page(): void {
	check_admin_referer( 'tillkit_pair' );
	if ( ! current_user_can( 'manage_woocommerce' ) ) {
		wp_die( esc_html__( 'You are not allowed to do this.', 'tillkit-checkout' ), '', array( 'response' => 403 ) );
	}
	$server = tillkit_settings()['checkout_server'];
	if ( '' === $server ) {
		wp_die( esc_html__( 'Enter the checkout server address and save first.', 'tillkit-checkout' ), '', array( 'response' => 400 ) );
	}
	nocache_headers();
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- The bridge escapes every part.
	wp_die( tillkit_pairing_page_html( home_url(), time() ), esc_html( tillkit_text( 'Connect with the checkout server' ) ), array( 'response' => 200, 'back_link' => true ) );
}
