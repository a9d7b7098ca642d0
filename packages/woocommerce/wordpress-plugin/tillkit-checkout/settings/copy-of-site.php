<?php
/** What the owner of a copied site is asked, and their answer. */

defined( 'ABSPATH' ) || exit;

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
	if ( $answer instanceof Tillkit_Error ) {
		tillkit_send_admin_html( tillkit_warning_html( $answer ) );
		return;
	}
	tillkit_reload_admin_page();
}

function tillkit_answer_copy(): void {
	tillkit_require_admin_request( 'tillkit_copy', 'manage_woocommerce' );
	tillkit_end_copied_connection();
	tillkit_reload_admin_page();
}
