<?php
/** The owner's way to the pages of the checkout server, and the end of the connection. Both only where owners connect their shops themselves. */

defined( 'ABSPATH' ) || exit;

function tillkit_show_owner_pages(): void {
	if ( ! tillkit_has_owner_pages() ) {
		return;
	}
	$links = array(
		'tillkit_open_payments' => __( 'Open my payments', 'tillkit-checkout' ),
		'tillkit_disconnect'    => __( 'Disconnect …', 'tillkit-checkout' ),
	);
	foreach ( $links as $action => $label ) {
		echo '<a class="button" href="' . esc_url( wp_nonce_url( admin_url( 'admin-post.php?action=' . $action ), $action ) ) . '">' . esc_html( $label ) . '</a> ';
	}
}

/** Asks the checkout server for a link that opens once, and sends the browser there. WordPress names the person by a number only. */
function tillkit_answer_open_payments(): void {
	check_admin_referer( 'tillkit_open_payments' );
	tillkit_require_capability( 'edit_shop_orders' );
	$url = tillkit_owner_pages_url( (string) get_current_user_id(), current_user_can( 'manage_woocommerce' ) ? 'owner' : 'viewer' );
	if ( $url instanceof Tillkit_Error ) {
		wp_die( esc_html( $url->message ), '', array( 'response' => 502, 'back_link' => true ) );
	}
	nocache_headers();
	// phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- The address of the checkout server is the owner's own setting.
	wp_redirect( $url, 303 );
	tillkit_end_request();
}

/** Asks first. The second request, a POST, ends the connection. */
function tillkit_answer_disconnect_page(): void {
	check_admin_referer( 'tillkit_disconnect' );
	tillkit_require_capability( 'manage_woocommerce' );
	if ( 'post' !== sanitize_key( wp_unslash( $_SERVER['REQUEST_METHOD'] ?? '' ) ) ) {
		tillkit_show_disconnect_page();
		return;
	}
	$answer = tillkit_call_checkout_server( 'disconnect', array( 'language' => tillkit_language() ) );
	if ( $answer instanceof Tillkit_Error ) {
		wp_die( esc_html( $answer->message ), '', array( 'response' => 502, 'back_link' => true ) );
	}
	$has_left = 'left' === tillkit_text_field( $answer, 'state' );
	tillkit_forget_connection( $has_left );
	wp_safe_redirect( tillkit_settings_url() . '&tillkit_paired=' . ( $has_left ? 'left' : 'leaving' ) . '#tillkit-connection', 303 );
	tillkit_end_request();
}

function tillkit_show_disconnect_page(): void {
	$title = __( 'Disconnect from the checkout server', 'tillkit-checkout' );
	$texts = array(
		__( 'Shoppers no longer see this payment method. The checkout server wipes the key of the payment service as soon as payments in progress are finished; after that, nothing can be refunded from WooCommerce.', 'tillkit-checkout' ),
		tillkit_text( 'Download your payments first: open my payments, then Export. Orders and their notes stay in this shop.' ),
	);
	$html  = '<h1>' . esc_html( $title ) . '</h1>';
	foreach ( $texts as $text ) {
		$html .= '<p>' . esc_html( $text ) . '</p>';
	}
	$html .= '<form method="post" action="' . esc_url( wp_nonce_url( admin_url( 'admin-post.php?action=tillkit_disconnect' ), 'tillkit_disconnect' ) ) . '">'
		. '<button type="submit" class="button">' . esc_html__( 'Disconnect', 'tillkit-checkout' ) . '</button></form>';
	nocache_headers();
	// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- Every part is escaped above.
	wp_die( $html, esc_html( $title ), array( 'response' => 200, 'back_link' => true ) );
}

/** Ends the request if the user lacks the capability. */
function tillkit_require_capability( string $capability ): void {
	if ( ! current_user_can( $capability ) ) {
		wp_die( esc_html__( 'You are not allowed to do this.', 'tillkit-checkout' ), '', array( 'response' => 403 ) );
	}
}

/** After a redirect WordPress would go on with the page. */
function tillkit_end_request(): void {
	exit;
}
