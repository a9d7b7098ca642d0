<?php
/** Requests of the buttons in the administration. */

defined( 'ABSPATH' ) || exit;

/** Ends the request if its nonce is invalid or the user lacks the capability. */
function tillkit_require_admin_request( string $action, string $capability ): void {
	check_ajax_referer( $action, 'nonce' );
	if ( ! current_user_can( $capability ) ) {
		wp_die( esc_html__( 'You are not allowed to do this.', 'tillkit-checkout' ), '', array( 'response' => 403 ) );
	}
}

/** @param string $html Escaped HTML. */
function tillkit_send_admin_html( string $html, int $status = 200 ): void {
	nocache_headers();
	wp_send_json( array( 'html' => $html ), $status );
}

/** Makes the browser load the page again, because the data of the page has changed. */
function tillkit_reload_admin_page(): void {
	nocache_headers();
	wp_send_json(
		array(
			'html'   => '<p>' . esc_html__( 'Loading…', 'tillkit-checkout' ) . '</p>',
			'reload' => true,
		),
		200
	);
}
