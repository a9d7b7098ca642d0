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

/** Shows an error above the settings; other values are ignored. */
function tillkit_show_settings_error( $value ): void {
	if ( $value instanceof Tillkit_Error ) {
		WC_Admin_Settings::add_error( $value->message );
	}
}

/** @param string $html Escaped HTML. */
function tillkit_send_admin_html( string $html, int $status = 200 ): void {
	tillkit_send_admin_answer( array( 'html' => $html ), $status );
}

/** @param array{html:string,reload?:bool} $answer */
function tillkit_send_admin_answer( array $answer, int $status = 200 ): void {
	nocache_headers();
	wp_send_json( $answer, $status );
}

/** Makes the browser load the page again, because the data of the page has changed. */
function tillkit_reload_admin_page(): void {
	tillkit_send_admin_answer( tillkit_reload_answer() );
}
