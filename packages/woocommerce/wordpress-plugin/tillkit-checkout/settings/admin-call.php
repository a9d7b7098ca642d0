<?php
/** Calls of our own buttons in the administration. */

defined( 'ABSPATH' ) || exit;

/** Ends the request unless it comes from one of our pages, by somebody who may. */
function tillkit_admit_admin( string $action, string $capability ): void {
	check_ajax_referer( $action, 'nonce' );
	if ( ! current_user_can( $capability ) ) {
		wp_die( esc_html__( 'You may not do this.', 'tillkit-checkout' ), '', array( 'response' => 403 ) );
	}
}

/** @param string $html Escaped. */
function tillkit_tell_admin( string $html, int $status = 200 ): void {
	nocache_headers();
	wp_send_json( array( 'html' => $html ), $status );
}
