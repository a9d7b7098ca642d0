<?php
/** The shopper comes back from the hosted page. */

defined( '_PS_VERSION_' ) || exit;

class TillkitReturnModuleFrontController extends ModuleFrontController {

	public function initContent(): void {
		$order = tillkit_order_of_link( tillkit_requested( 'order' ), tillkit_requested( 'key' ) );
		if ( null === $order ) {
			Tools::redirect( 'index.php?controller=404' );
			return;
		}
		// The shop's own page says that the order is confirmed, and that its e-mail has been sent.
		if ( tillkit_has_been_paid( $order ) && tillkit_is_customer_of( $order ) ) {
			tillkit_redirect( tillkit_confirmation_url( $order ) );
		}
		$has_cancelled = '1' === tillkit_requested( 'cancel' );
		if ( $has_cancelled ) {
			tillkit_restore_cart( $order );
		}
		parent::initContent();
		$this->context->smarty->assign(
			array(
				/* translators: %s: an order's number */
				'tillkit_title'  => sprintf( tillkit_text( 'Order %s' ), $order->number() ),
				'tillkit_notice' => tillkit_order_notice_html( $order, $has_cancelled ? 'pay' : 'thankyou' ),
				'tillkit_cart'   => '' === $order->fact( 'restored_cart' ) ? '' : $this->context->link->getPageLink( 'cart', true, null, array( 'action' => 'show' ) ),
				'tillkit_back'   => tillkit_text( 'Back to the cart' ),
			)
		);
		$this->setTemplate( 'module:tillkit/views/templates/front/return.tpl' );
	}
}
